import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { isDeepStrictEqual } from "node:util";
import {
  CLOSE,
  HELLO_SECONDS,
  PLAYER_SILENCE_MS,
  playerCommandSchema,
  type Envelope,
  type HeardPosition,
  type PlayerCommand,
  type PlayerHeard,
  type PlayerMessage,
  type PlayerQueue,
} from "@followspot/contract";
import { WebSocketServer, type RawData, type WebSocket } from "ws";
import { adoptAfterOutage } from "../../songs/queue/queue-outage.ts";
import {
  adoptPlayed,
  followPlayer,
  keepLaidOut,
  MOVED_SECONDS,
  type QueuePorts,
} from "../../songs/queue/show-queue.ts";
import { readQueue } from "../../songs/queue/show-queue.store.ts";
import { mayOpenSocket } from "../../community/auth/sessions.ts";
import { refuseUpgrade } from "../../platform/http/refuse-upgrade.ts";
import { UnknownSockets } from "../../platform/http/unknown-sockets.ts";
import { every } from "../../platform/every.ts";
import { newId } from "../../platform/database/ids.ts";
import { findLampPart, type LampPart } from "../../lights/standby-role.ts";
import { seedOfLinkKey } from "../../platform/http/link-key.ts";
import type { Tx } from "../../platform/database/database.ts";
import { tell } from "../../platform/database/outbox.ts";
import { transact } from "../../platform/database/transaction.ts";
import { admitPlayer, PLAYER_HEARD, type HeardPage } from "./admit-player.ts";
import { endOpenPlayers, UNSEEN_MS, SEEN_EVERY_MS, storeOpenPlayers, type PlayerFacts } from "./open-players.store.ts";
import { readPaPlayer, type PaPlayerRow } from "./pa-player.store.ts";
import { queueForPlayers } from "./player-queue.ts";
import { newServerClock } from "./server-clock.ts";

/** Purpose of the player's link. */
export const PLAYER_LINK = "player-link";
const MAX_MESSAGE_BYTES = 4096;
/** Limit of unauthenticated connections. */
const MOST_UNKNOWN = 50;
const CONNECTION_LOST = 1006;
/** Close code for a server error, after which a player reconnects. */
const TRY_AGAIN = 1011;
const LOOK_MS = 500;
/** Events that affect players, including votes, which change the next song. */
const ON_PLAYERS = /^(?:queue|playlist|song|sound)\.(?!progress)/;
/** Time without a response after which the database counts as unavailable, ms; it is queried every second. */
const DATABASE_AWAY_MS = 2 * SEEN_EVERY_MS;
/** Largest lead of a player's clock over the server's, ms. */
const CLOCKS_APART_MS = 1000;
/** Number of heartbeats whose median is the offset between light and sound. */
const BEATS_KEPT = 7;

export interface PlayersPorts extends QueuePorts {
  readonly secret: Uint8Array;
  /** Key of this installation's sound output; undefined if there is no stage either. */
  readonly outputKey?: string | undefined;
  /** Sends the sound position to the stage. @returns light minus sound, ms; undefined if no lights follow */
  readonly onHeard: (heard: HeardPosition) => Promise<number | undefined>;
  /** Other origins whose pages may connect, as `https://host`. */
  readonly origins?: readonly string[];
  /** Called when the active player was only disconnected and has played on. */
  readonly onPlayedOn: (tx: Tx) => Promise<void>;
  /** Called when a player changed the queue. */
  readonly onQueue: () => void;
  readonly warn: (message: string) => void;
}

type Beat = Extract<PlayerCommand, { type: "beat" }>;

interface Player {
  readonly socket: WebSocket;
  /** Unique over all APIs. */
  readonly connectionId: string;
  page: string;
  name: string;
  seed: Buffer | undefined;
  /** Whether it is this installation's sound output, which has no link. */
  isOutput: boolean;
  saidMs: number;
  beat: Beat | undefined;
  /** First reading that includes what it played before it connected; infinite until that is stored. */
  knownFrom: number;
  /** Light minus sound at the last heartbeats, ms. */
  apart: readonly number[];
  /** Serializes the handling of its messages. */
  work: Promise<void>;
}

/** State last sent to all players. */
interface Told {
  /** Number of the reading. */
  readonly reading: number;
  readonly row: PaPlayerRow;
  readonly queue: PlayerQueue;
  /** Role of this machine with a standby. */
  readonly part: LampPart | undefined;
}

/**
 * Serves the pages at `/ws/player`. All receive the queue; one is active and plays: the first one opened, until another
 * takes over or it has been away for five seconds. The active player's position is the song's position: the lights and
 * the stored state follow it. The database holds the open pages of all APIs and the active one; this class holds the
 * connections to this API.
 */
export class Players {
  readonly #ports: PlayersPorts;
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, clientTracking: false });
  readonly #players = new Set<Player>();
  readonly #unknown = new UnknownSockets(MOST_UNKNOWN);
  readonly #serverMs = newServerClock();
  readonly #timer: NodeJS.Timeout;
  readonly #endSharing: () => void;
  #told: Told | undefined;
  /** Number of readings started. */
  #readings = 0;
  /** The active player, as announced over NATS; undefined once the database was read after it. */
  #saidHeard: HeardPage | undefined;
  #isTelling = false;
  #isAskedAgain = false;
  /** Start of uninterrupted access to the database, and the last access. */
  #watchesMs = 0;
  #watchedMs = Number.NEGATIVE_INFINITY;
  #isClosing = false;

  constructor(ports: PlayersPorts) {
    this.#ports = ports;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#endSharing = every(SEEN_EVERY_MS, "telling which players are open", () => this.#share(), ports.warn);
  }

  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (!mayOpenSocket(request.headers, this.#ports.origins ?? [])) return refuseUpgrade(socket, "403 Forbidden");
    this.#server.handleUpgrade(request, socket, head, (opened) => this.#add(opened));
  }

  get count(): number {
    return this.#players.size;
  }

  get #greeted(): readonly Player[] {
    return [...this.#players].filter(({ page }) => page !== "");
  }

  /** Sends the new state to all players after a change of the queue, the settings or the link. */
  refresh(): void {
    this.#isAskedAgain = true;
    if (!this.#isTelling) void this.#tellWhileAsked();
  }

  /** Handles an event that an API published over NATS. */
  hear({ type, payload }: Envelope): void {
    if (type === PLAYER_HEARD) this.#saidHeard = payload as HeardPage;
    if (type === PLAYER_HEARD || ON_PLAYERS.test(type)) this.refresh();
  }

  /** Closes for a shutdown of this API: its players play on and connect to the next one. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#timer);
    this.#endSharing();
    const connections = this.#greeted.map(({ connectionId }) => connectionId);
    for (const { socket } of this.#players) socket.close(1001);
    this.#server.close();
    // If the database is unavailable, the rows expire a little later.
    if (connections.length > 0) await endOpenPlayers(this.#ports.sql, connections, true).catch(() => undefined);
  }

  #add(socket: WebSocket): void {
    const now = performance.now();
    const player: Player = {
      socket,
      connectionId: newId(),
      page: "",
      name: "",
      seed: undefined,
      isOutput: false,
      saidMs: now,
      beat: undefined,
      knownFrom: Number.POSITIVE_INFINITY,
      apart: [],
      work: Promise.resolve(),
    };
    this.#players.add(player);
    this.#unknown.add(socket);
    const late = setTimeout(() => player.page === "" && socket.close(CLOSE.helloTimeout), HELLO_SECONDS * 1000);
    socket.on("message", (data) => (player.work = player.work.then(() => this.#receive(player, data))));
    socket.on("error", () => socket.terminate());
    socket.on("close", (code) => {
      clearTimeout(late);
      this.#players.delete(player);
      player.work = player.work.then(() => this.#leave(player, code));
    });
  }

  /** Never rejects. */
  async #receive(player: Player, data: RawData): Promise<void> {
    player.saidMs = performance.now();
    const command = parse(data);
    try {
      if (command?.type === "hello") await this.#greet(player, command);
      else if (command && player.page !== "") await this.#follow(player, command);
      else player.socket.close(CLOSE.unauthenticated);
    } catch (error) {
      // The database may be unavailable: the player plays on and sends everything again.
      this.#ports.warn(`what a player said could not be kept: ${(error as Error).message}`);
      // The hello failed, so every later message would be rejected.
      if (command?.type === "hello") player.socket.close(TRY_AGAIN);
    }
  }

  async #greet(player: Player, hello: Extract<PlayerCommand, { type: "hello" }>): Promise<void> {
    const { sql, secret, outputKey } = this.#ports;
    const seed = seedOfLinkKey(secret, PLAYER_LINK, "", hello.key);
    const isOutput = hello.key === outputKey;
    // An invalid signature is rejected without a database query.
    if (!seed && !isOutput) return this.#withdraw(player);
    const { page, playing } = hello;
    const name = hello.name.trim() || "Player";
    const facts = { ...factsOf(player), page, name, is_output: isOutput };
    const takesOver = hello.take_over === true;
    const admitted = await transact(sql, async (tx) => {
      const answer = await admitPlayer(tx, { facts, seed, takesOver, watchedMs: this.#watchMs });
      if (typeof answer === "object" && answer.wasActive && playing) await this.#ports.onPlayedOn(tx);
      return answer;
    });
    if (admitted === "withdrawn") return this.#withdraw(player);
    if (admitted === "full") return player.socket.close(CLOSE.tooSlow);
    this.#unknown.release(player.socket);
    const isNews = player.page !== page || player.name !== name;
    Object.assign(player, { seed, isOutput, page, name });
    if (admitted.wasActive && playing && (await adoptPlayed(this.#ports, playing.song_id, playing.position)))
      this.#ports.onQueue();
    // The sound output asks repeatedly whether it may become active.
    if (!isNews && !admitted.isHeard) return;
    await this.#tellConsoles();
    this.refresh();
  }

  async #leave(player: Player, code: number): Promise<void> {
    if (player.page === "" || this.#isClosing) return;
    const isLost = code === CONNECTION_LOST || code === TRY_AGAIN;
    // If the database is unavailable, the row expires a little later.
    await endOpenPlayers(this.#ports.sql, [player.connectionId], isLost).catch((error: Error) =>
      this.#ports.warn(`that a player left could not be kept: ${error.message}`),
    );
    await this.#tellConsoles();
  }

  async #follow(player: Player, command: Exclude<PlayerCommand, { type: "hello" }>): Promise<void> {
    if (command.type === "laid_out") {
      if (this.#isHeard(player)) await keepLaidOut(this.#ports.sql, BigInt(command.turn), command.song_id);
      return;
    }
    say(player, { type: "beat", sent_at: command.sent_at, server_ms: this.#serverMs() });
    const isNews = command.is_allowed !== player.beat?.is_allowed || command.problem !== player.beat?.problem;
    player.beat = command;
    if (player.knownFrom === Number.POSITIVE_INFINITY) {
      // An error here must not leave the player without a state.
      await this.#takeUp(player, command.heard).finally(() => {
        player.knownFrom = this.#readings + 1;
        this.refresh();
      });
    }
    if (this.#isHeard(player) && command.heard) await this.#lead(player, command.heard);
    if (!isNews) return;
    await storeOpenPlayers(this.#ports.sql, [factsOf(player)]);
    await this.#tellConsoles();
  }

  /**
   * Adopts the first position that a page reports after an outage: it has played all along, and its estimate of the
   * server clock is still valid.
   */
  async #takeUp({ page }: Player, heard: PlayerHeard | undefined): Promise<void> {
    if (!heard || (await readPaPlayer(this.#ports.sql)).heard_page !== page) return;
    if (await adoptAfterOutage(this.#ports.sql, heard)) this.#ports.onQueue();
  }

  /** Makes the lights and the stored position follow the sound. */
  async #lead(player: Player, { song_id, position, at, revision }: PlayerHeard): Promise<void> {
    const queue = this.#told?.queue;
    if (queue?.mode !== "playing" || queue.song?.id !== song_id || queue.revision !== revision) return;
    const age_ms = this.#serverMs() - at;
    // Measured on another server's clock.
    if (age_ms < -CLOCKS_APART_MS || age_ms > PLAYER_SILENCE_MS) return;
    const stored = (at - queue.starts_at) / 1000;
    if (Math.abs(position - stored) >= MOVED_SECONDS) {
      const isMoved = await followPlayer(this.#ports.sql, queue, position + age_ms / 1000);
      if (isMoved) this.#ports.onQueue();
    }
    const apart = await this.#ports.onHeard({ turn: queue.turn, position, age_ms });
    // A single heartbeat is unreliable: a busy machine is late at times.
    player.apart = apart === undefined ? [] : [...player.apart.slice(1 - BEATS_KEPT), apart];
  }

  /** Time for which the database was reached without a break, ms. */
  get #watchMs(): number {
    const now = performance.now();
    return now - this.#watchedMs > UNSEEN_MS ? 0 : now - this.#watchesMs;
  }

  /**
   * Reports this API's players to the other APIs, and checks for a new active player or a queue change at another API,
   * because NATS may be unavailable.
   */
  async #share(): Promise<void> {
    const { sql } = this.#ports;
    await storeOpenPlayers(sql, this.#greeted.map(factsOf));
    const [row, queue] = await Promise.all([readPaPlayer(sql), readQueue(sql)]);
    const now = performance.now();
    if (now - this.#watchedMs > UNSEEN_MS) this.#watchesMs = now;
    this.#watchedMs = now;
    if (this.#greeted.length === 0) return;
    const isTold = Number(queue.revision) === this.#told?.queue.revision && isDeepStrictEqual(row, this.#told.row);
    if (!isTold) this.refresh();
  }

  async #tellWhileAsked(): Promise<void> {
    this.#isTelling = true;
    while (this.#isAskedAgain) {
      this.#isAskedAgain = false;
      const reading = ++this.#readings;
      const saidHeard = this.#saidHeard;
      if (this.#players.size === 0) continue;
      try {
        const row = await readPaPlayer(this.#ports.sql);
        const queue = await queueForPlayers(this.#ports, row.level, this.#serverMs);
        const part = (await findLampPart(this.#ports.sql))?.part;
        this.#tellAll({ reading, row, queue, part });
        if (this.#saidHeard === saidHeard) this.#saidHeard = undefined;
      } catch (error) {
        this.#ports.warn(`players could not be told: ${(error as Error).message}`);
      }
    }
    this.#isTelling = false;
  }

  #tellAll(told: Told): void {
    this.#told = told;
    for (const player of this.#players) this.#tellPlayer(player, told);
  }

  /**
   * Applies a change of the active player that was announced over NATS while this API alone has lost the database.
   * Other APIs no longer see its player and let another page play instead; the later one wins.
   */
  #obeyOthers(): void {
    const [said, told] = [this.#saidHeard, this.#told];
    if (!said || !told || performance.now() - this.#watchedMs < DATABASE_AWAY_MS) return;
    if (said.page !== told.row.heard_page)
      this.#tellAll({ ...told, row: { ...told.row, heard_page: said.page, heard_name: said.name } });
  }

  #tellPlayer(player: Player, told: Told): void {
    const { reading, row, queue } = told;
    if (player.page === "") return;
    if (!player.isOutput && !(row.seed && player.seed?.equals(row.seed))) return this.#withdraw(player);
    // What it played during the outage is stored before it receives a new state.
    if (player.page === row.heard_page && reading < player.knownFrom) return;
    say(player, {
      type: "state",
      server_ms: this.#serverMs(),
      is_heard: isHeard(player, told),
      heard_name: row.heard_name,
      queue,
      settings: { volume: row.volume, is_muted: row.is_muted },
    });
  }

  #withdraw(player: Player): void {
    say(player, { type: "withdrawn" });
    player.socket.close(CLOSE.unauthenticated);
  }

  #isHeard(player: Player): boolean {
    return player.page !== "" && this.#told !== undefined && isHeard(player, this.#told);
  }

  #look(): void {
    this.#obeyOthers();
    const now = performance.now();
    // A frozen page never closes its connection.
    for (const { socket, saidMs, page } of this.#players)
      if (page !== "" && now - saidMs > PLAYER_SILENCE_MS) socket.terminate();
  }

  async #tellConsoles(): Promise<void> {
    await transact(this.#ports.sql, (tx) => tell(tx, "sound", "all", "changed", {})).catch((error: Error) =>
      this.#ports.warn(`consoles could not be told of a player: ${error.message}`),
    );
  }
}

/**
 * Whether a player plays sound. No player of a standby plays while the primary drives the lights. A primary that ceded
 * them keeps its own sound output muted: the standby may have one at the same PA.
 */
const isHeard = ({ page, isOutput }: Player, { row, part }: Told): boolean =>
  page === row.heard_page && part !== "follows" && !(part === "yields" && isOutput);

const median = (values: readonly number[]): number | undefined => values.toSorted((a, b) => a - b)[values.length >> 1];

function factsOf({ connectionId, page, name, isOutput, beat, apart }: Player): PlayerFacts {
  return {
    line: connectionId,
    page,
    name,
    is_output: isOutput,
    is_allowed: beat?.is_allowed ?? false,
    loaded_ahead: beat?.loaded_ahead ?? 0,
    light_minus_sound_ms: (beat?.heard && median(apart)) ?? null,
    problem: beat?.problem ?? "",
    is_delay_set: beat?.is_delay_set ?? true,
    levels_db: beat?.levels_db ?? [],
  };
}

function say({ socket }: Player, message: PlayerMessage): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
}

function parse(data: RawData): PlayerCommand | undefined {
  try {
    return playerCommandSchema.safeParse(JSON.parse(String(data))).data;
  } catch {
    return undefined; // not JSON
  }
}
