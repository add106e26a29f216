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
import { adoptAfterOutage } from "../music/queue-outage.ts";
import { adoptPlayed, followPlayer, keepLaidOut, MOVED_SECONDS, type QueuePorts } from "../music/show-queue.ts";
import { readQueue } from "../music/show-queue.store.ts";
import { every } from "../platform/every.ts";
import { newId } from "../platform/ids.ts";
import { findLampPart, type LampPart } from "../platform/lamp-part.ts";
import { seedOfLinkKey } from "../platform/link-key.ts";
import type { Tx } from "../platform/database.ts";
import { tell } from "../platform/outbox.ts";
import { transact } from "../platform/transaction.ts";
import { admitPlayer, PLAYER_HEARD, type HeardPage } from "./admit-player.ts";
import { endOpenPlayers, UNSEEN_MS, SEEN_EVERY_MS, storeOpenPlayers, type PlayerFacts } from "./open-players.store.ts";
import { readPaPlayer, type PaPlayerRow } from "./pa-player.store.ts";
import { queueForPlayers } from "./player-queue.ts";
import { newServerClock } from "./server-clock.ts";

/** What the link to the player opens. */
export const PLAYER_LINK = "player-link";
const MAX_MESSAGE_BYTES = 4096;
/** Connections that have not said hello. Strangers open them as well: then the oldest is closed, and no player is kept out. */
const MOST_STRANGERS = 50;
const CONNECTION_LOST = 1006;
/** Close code of an error here, after which a player comes back. */
const TRY_AGAIN = 1011;
const LOOK_MS = 500;
/** What players have to know: also votes, which change what comes next. */
const ON_PLAYERS = /^(?:queue|playlist|song|sound)\.(?!progress)/;
/** The database is asked every second: it is away when it has not answered for so long. */
const DATABASE_AWAY_MS = 2 * SEEN_EVERY_MS;
/** The clock a player reckons by may be so far ahead of the server's. */
const CLOCKS_APART_MS = 1000;
/** Of so many beats the middle says how far lamps and sound are apart. */
const BEATS_KEPT = 7;

export interface PlayersPorts extends QueuePorts {
  readonly secret: Uint8Array;
  /** Key of the sound output of this installation; undefined where there is no stage either. */
  readonly outputKey?: string | undefined;
  /** Tells the stage where the sound is. @returns lamps minus sound, ms; undefined where no lamps follow */
  readonly onHeard: (heard: HeardPosition) => Promise<number | undefined>;
  /** The active player was only disconnected, and played on. */
  readonly onPlayedOn: (tx: Tx) => Promise<void>;
  /** A player moved the queue. */
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
  /** It is the sound output of this installation, which no link opens or closes. */
  isOutput: boolean;
  saidMs: number;
  beat: Beat | undefined;
  /** The first reading that knows what it heard before it came; infinite until that is stored. */
  knownFrom: number;
  /** Lamps minus sound of the last beats, ms. */
  apart: readonly number[];
  /** What it said is dealt with one after the other. */
  work: Promise<void>;
}

/** What all players were told last. */
interface Told {
  /** Readings are counted. */
  readonly reading: number;
  readonly row: PaPlayerRow;
  readonly queue: PlayerQueue;
  /** What this machine does beside a standby. */
  readonly part: LampPart | undefined;
}

/**
 * The pages at `/ws/player`. All know what plays; one is heard: the first that was opened, until another takes over or it has
 * been away for five seconds. Where that one is in the song, the song is: the lamps follow it, and what is stored as well.
 * The database knows which pages are open at any API, and which one is heard; here are the connections to this API.
 */
export class Players {
  readonly #ports: PlayersPorts;
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, clientTracking: false });
  readonly #players = new Set<Player>();
  readonly #serverMs = newServerClock();
  readonly #timer: NodeJS.Timeout;
  readonly #endSharing: () => void;
  #told: Told | undefined;
  /** Readings that were begun. */
  #readings = 0;
  /** Who is heard by what an API said over the broker; undefined once the database was read after it. */
  #saidHeard: HeardPage | undefined;
  #isTelling = false;
  #isAskedAgain = false;
  /** Since when the database was reached without a break, and when it was last. */
  #watchesMs = 0;
  #watchedMs = Number.NEGATIVE_INFINITY;
  #isClosing = false;

  constructor(ports: PlayersPorts) {
    this.#ports = ports;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#endSharing = every(SEEN_EVERY_MS, "telling which players are open", () => this.#share(), ports.warn);
  }

  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const strangers = [...this.#players].filter(({ page }) => page === "");
    if (strangers.length >= MOST_STRANGERS) strangers[0]?.socket.terminate();
    this.#server.handleUpgrade(request, socket, head, (opened) => this.#add(opened));
  }

  get count(): number {
    return this.#players.size;
  }

  get #greeted(): readonly Player[] {
    return [...this.#players].filter(({ page }) => page !== "");
  }

  /** The queue, the settings or the link are others: all players are told. */
  refresh(): void {
    this.#isAskedAgain = true;
    if (!this.#isTelling) void this.#tellWhileAsked();
  }

  /** An API said over the broker what happened. */
  hear({ type, payload }: Envelope): void {
    if (type === PLAYER_HEARD) this.#saidHeard = payload as HeardPage;
    if (type === PLAYER_HEARD || ON_PLAYERS.test(type)) this.refresh();
  }

  /** This API stops: its players play on, and connect to the next one. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#timer);
    this.#endSharing();
    const connections = this.#greeted.map(({ connectionId }) => connectionId);
    for (const { socket } of this.#players) socket.close(1001);
    this.#server.close();
    // Where the database is away, they count as ended a little later.
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
      // The database may be away: the player plays on, and says all of it again.
      this.#ports.warn(`what a player said could not be kept: ${(error as Error).message}`);
      // It was not greeted: what it says next would be refused for good.
      if (command?.type === "hello") player.socket.close(TRY_AGAIN);
    }
  }

  async #greet(player: Player, hello: Extract<PlayerCommand, { type: "hello" }>): Promise<void> {
    const { sql, secret, outputKey } = this.#ports;
    const seed = seedOfLinkKey(secret, PLAYER_LINK, "", hello.key);
    const isOutput = hello.key === outputKey;
    // A key the secret did not make costs no question to the database.
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
    const isNews = player.page !== page || player.name !== name;
    Object.assign(player, { seed, isOutput, page, name });
    if (admitted.wasActive && playing && (await adoptPlayed(this.#ports, playing.song_id, playing.position)))
      this.#ports.onQueue();
    // The sound output asks again and again whether a player is heard.
    if (!isNews && !admitted.isHeard) return;
    await this.#tellConsoles();
    this.refresh();
  }

  async #leave(player: Player, code: number): Promise<void> {
    if (player.page === "" || this.#isClosing) return;
    const isLost = code === CONNECTION_LOST || code === TRY_AGAIN;
    // Where the database is away, the connection counts as ended a little later.
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
      // What goes wrong with it must not leave the player without a word.
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

  /** What a page says first after everything was away, it has heard all along: its clock of the server is still the old one. */
  async #takeUp({ page }: Player, heard: PlayerHeard | undefined): Promise<void> {
    if (!heard || (await readPaPlayer(this.#ports.sql)).heard_page !== page) return;
    if (await adoptAfterOutage(this.#ports.sql, heard)) this.#ports.onQueue();
  }

  /** The lamps, and what is stored, follow the sound. */
  async #lead(player: Player, { song_id, position, at, revision }: PlayerHeard): Promise<void> {
    const queue = this.#told?.queue;
    if (queue?.mode !== "playing" || queue.song?.id !== song_id || queue.revision !== revision) return;
    const age_ms = this.#serverMs() - at;
    // By the clock of another server.
    if (age_ms < -CLOCKS_APART_MS || age_ms > PLAYER_SILENCE_MS) return;
    const stored = (at - queue.starts_at) / 1000;
    if (Math.abs(position - stored) >= MOVED_SECONDS) {
      const isMoved = await followPlayer(this.#ports.sql, queue, position + age_ms / 1000);
      if (isMoved) this.#ports.onQueue();
    }
    const apart = await this.#ports.onHeard({ turn: queue.turn, position, age_ms });
    // One beat says little: a busy machine is late now and then.
    player.apart = apart === undefined ? [] : [...player.apart.slice(1 - BEATS_KEPT), apart];
  }

  /** How long the database was reached without a break. */
  get #watchMs(): number {
    const now = performance.now();
    return now - this.#watchedMs > UNSEEN_MS ? 0 : now - this.#watchesMs;
  }

  /**
   * Tells the other APIs which players are here and how they are, and looks whether another is heard, or the queue was moved, at
   * another API: the broker that says so at once may be away.
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
   * This API alone may have lost the database, and its player plays on. Others see neither, let another page sound in its place
   * and say so over the broker: of two the later one sounds.
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
    // What it heard while everything was away comes before what it is told.
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
    // A frozen page never says that it closed.
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
 * Whether a player sounds. No player of a standby does as long as the first machine drives the lamps. A first machine that gave
 * them away keeps its own sound output silent: the standby may have one at the same PA.
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
