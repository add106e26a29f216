import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import {
  CLOSE,
  HELLO_SECONDS,
  PLAYER_SILENCE_MS,
  playerCommandSchema,
  type HeardPosition,
  type PlayerCommand,
  type PlayerHeard,
  type PlayerMessage,
  type PlayerQueue,
} from "@followspot/contract";
import { WebSocketServer, type RawData, type WebSocket } from "ws";
import { adoptAfterOutage } from "../music/queue-outage.ts";
import { adoptPlayed, followPlayer, keepLaidOut, MOVED_SECONDS, type QueuePorts } from "../music/show-queue.ts";
import { findLampPart, type LampPart } from "../platform/lamp-part.ts";
import { seedOfLinkKey } from "../platform/link-key.ts";
import { tell } from "../platform/outbox.ts";
import { transact } from "../platform/transaction.ts";
import { lockPaPlayer, readPaPlayer, storePaPlayer, type PaPlayerRow } from "./pa-player.store.ts";
import { queueForPlayers } from "./player-queue.ts";
import { newServerClock } from "./server-clock.ts";

/** What the link to the player opens. */
export const PLAYER_LINK = "player-link";
const MAX_MESSAGE_BYTES = 4096;
/** A community has one PA and perhaps a second machine beside it. */
const MOST_PLAYERS = 20;
/** Lines that have not said hello. Strangers open them as well: then the oldest makes way, and no player is kept out. */
const MOST_STRANGERS = 50;
/** The player that is heard may be away for so long before another that opens is heard in its place. */
const AWAY_MS = 5000;
/** The sound output waits so long where a page lost its line: that page plays on by itself meanwhile. */
const OUTPUT_WAITS_MS = 60_000;
const LINE_LOST = 1006;
/** Close code of an error here, after which a player comes back. */
const TRY_AGAIN = 1011;
const LOOK_MS = 500;
/** The clock a player reckons by may be so far ahead of the server's. */
const CLOCKS_APART_MS = 1000;
/** Of so many beats the middle says how far lamps and sound are apart. */
const BEATS_KEPT = 7;

/** A player as consoles see it. */
export interface SeenPlayer {
  readonly name: string;
  readonly isConnected: boolean;
  readonly since: Date;
  readonly isAllowed: boolean;
  readonly loadedAhead: number;
  readonly lightMinusSoundMs: number | undefined;
  readonly problem: string;
  /** False where it says that the delay of its sound is a guess. */
  readonly isDelaySet: boolean;
  /** Of left and right, dB below full scale; empty where it does not say. */
  readonly levelsDb: readonly number[];
}

export interface PlayersPorts extends QueuePorts {
  readonly secret: Uint8Array;
  /** Key of the sound output of this installation; undefined where there is no stage either. */
  readonly outputKey?: string | undefined;
  /** Tells the stage where the sound is. @returns lamps minus sound, ms; undefined where no lamps follow */
  readonly onHeard: (heard: HeardPosition) => Promise<number | undefined>;
  /** A player moved the queue. */
  readonly onQueue: () => void;
  readonly warn: (message: string) => void;
}

type Beat = Extract<PlayerCommand, { type: "beat" }>;

interface Player {
  readonly socket: WebSocket;
  readonly since: Date;
  page: string;
  name: string;
  seed: Buffer | undefined;
  /** It is the sound output of this installation, which no link opens or closes. */
  isOutput: boolean;
  saidMs: number;
  beat: Beat | undefined;
  /** What it said is dealt with one after the other. */
  work: Promise<void>;
}

/** What all players were told last. */
interface Told {
  readonly row: PaPlayerRow;
  readonly queue: PlayerQueue;
  /** What this machine does beside a standby. */
  readonly part: LampPart | undefined;
}

/**
 * The pages at `/ws/player`. All know what plays; one is heard: the first that was opened, until another takes over or it has
 * been away for five seconds. Where that one is in the song, the song is: the lamps follow it, and what is stored as well.
 */
export class Players {
  readonly #ports: PlayersPorts;
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, clientTracking: false });
  readonly #players = new Set<Player>();
  readonly #serverMs = newServerClock();
  readonly #timer: NodeJS.Timeout;
  #told: Told | undefined;
  #isTelling = false;
  #isAskedAgain = false;
  /** When the player that is heard was last seen to leave. */
  #leftAt = new Date();
  #leftMs = performance.now();
  /** It did not say that it closed. */
  #isLost = true;
  /** The page in whose place the sound output is heard; "" for none. */
  #displaced = "";
  /** Lamps minus sound of the last beats, ms. */
  #apart: readonly number[] = [];

  constructor(ports: PlayersPorts) {
    this.#ports = ports;
    this.#timer = setInterval(() => this.#dropSilent(), LOOK_MS);
  }

  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const strangers = [...this.#players].filter(({ page }) => page === "");
    if (strangers.length >= MOST_STRANGERS) strangers[0]?.socket.terminate();
    this.#server.handleUpgrade(request, socket, head, (opened) => this.#add(opened));
  }

  get count(): number {
    return this.#players.size;
  }

  get #greeted(): number {
    return [...this.#players].filter(({ page }) => page !== "").length;
  }

  /** The queue, the settings or the link are others: all players are told. */
  refresh(): void {
    this.#isAskedAgain = true;
    if (!this.#isTelling) void this.#tellWhileAsked();
  }

  /** The player that is heard; undefined until one was opened. */
  seen(row: PaPlayerRow): SeenPlayer | undefined {
    if (row.heard_page === "") return undefined;
    const player = this.#heardPlayer(row);
    return {
      name: row.heard_name,
      isConnected: player !== undefined,
      since: player?.since ?? this.#leftAt,
      isAllowed: player?.beat?.is_allowed ?? false,
      loadedAhead: player?.beat?.loaded_ahead ?? 0,
      lightMinusSoundMs: player?.beat?.heard && median(this.#apart),
      problem: player?.beat?.problem ?? "",
      isDelaySet: player?.beat?.is_delay_set ?? true,
      levelsDb: player?.beat?.levels_db ?? [],
    };
  }

  /** What keeps the sound output of this installation from sounding; "" where nothing does. */
  get outputProblem(): string {
    return [...this.#players].find(({ isOutput }) => isOutput)?.beat?.problem ?? "";
  }

  /** Names of those that are open and not heard. */
  silent(row: PaPlayerRow): readonly string[] {
    return [...this.#players].filter(({ page }) => page !== "" && page !== row.heard_page).map(({ name }) => name);
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { socket } of this.#players) socket.close(1001);
    this.#server.close();
  }

  #add(socket: WebSocket): void {
    const now = performance.now();
    const player: Player = {
      socket,
      since: new Date(),
      page: "",
      name: "",
      seed: undefined,
      isOutput: false,
      saidMs: now,
      beat: undefined,
      work: Promise.resolve(),
    };
    this.#players.add(player);
    const late = setTimeout(() => player.page === "" && socket.close(CLOSE.helloTimeout), HELLO_SECONDS * 1000);
    socket.on("message", (data) => (player.work = player.work.then(() => this.#receive(player, data))));
    socket.on("error", () => socket.terminate());
    socket.on("close", (code) => {
      clearTimeout(late);
      this.#players.delete(player);
      if (player.page === "") return;
      if (player.page === this.#told?.row.heard_page) {
        [this.#leftAt, this.#leftMs] = [new Date(), performance.now()];
        this.#isLost = code === LINE_LOST;
      }
      void this.#tellConsoles();
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
    const { sql, secret } = this.#ports;
    const seed = seedOfLinkKey(secret, PLAYER_LINK, "", hello.key);
    const isOutput = hello.key === this.#ports.outputKey;
    // A key the secret did not make costs no question to the database.
    const row = seed || isOutput ? await readPaPlayer(sql) : undefined;
    if (!row || (!isOutput && !(seed && row.seed?.equals(seed)))) return this.#withdraw(player);
    const isNews = player.page !== hello.page || player.name !== hello.name;
    if (player.page === "" && this.#greeted >= MOST_PLAYERS) return player.socket.close(CLOSE.tooSlow);
    player.seed = seed;
    player.isOutput = isOutput;
    player.page = hello.page;
    player.name = hello.name.trim() || "Player";
    const wasHeard = row.heard_page === hello.page;
    const awayMs = isOutput && this.#isLost ? OUTPUT_WAITS_MS : AWAY_MS;
    // A browser that was closed and opened again is the same machine at once.
    const isAway =
      !this.#heardPlayer(row) &&
      (machineOf(row.heard_page) === machineOf(hello.page) || performance.now() - this.#leftMs > awayMs);
    const isBack = this.#displaced !== "" && machineOf(this.#displaced) === machineOf(hello.page);
    const becomesHeard = hello.take_over === true || wasHeard || row.heard_page === "" || isAway || isBack;
    if (becomesHeard && !(wasHeard && row.heard_name === player.name))
      await transact(sql, async (tx) => {
        const before = await lockPaPlayer(tx);
        await storePaPlayer(tx, { ...before, heard_page: player.page, heard_name: player.name });
      });
    if (becomesHeard && !wasHeard) this.#displaced = isOutput ? row.heard_page : "";
    const { playing } = hello;
    if (wasHeard && playing && (await adoptPlayed(this.#ports, playing.song_id, playing.position)))
      this.#ports.onQueue();
    // The sound output asks again and again whether a player is heard.
    if (isNews || becomesHeard) await this.#tellConsoles();
    // The one that was heard says next what it hears: after an outage that comes before what it is told.
    if ((isNews || becomesHeard) && (!wasHeard || player.beat)) this.refresh();
  }

  async #follow(player: Player, command: Exclude<PlayerCommand, { type: "hello" }>): Promise<void> {
    if (command.type === "laid_out") {
      if (this.#isHeard(player)) await keepLaidOut(this.#ports.sql, BigInt(command.turn), command.song_id);
      return;
    }
    say(player, { type: "beat", sent_at: command.sent_at, server_ms: this.#serverMs() });
    const isNews = command.is_allowed !== player.beat?.is_allowed || command.problem !== player.beat?.problem;
    const isFirst = player.beat === undefined;
    player.beat = command;
    if (isFirst) {
      // What goes wrong with it must not leave the player without a word.
      await this.#takeUp(player, command.heard).finally(() => this.refresh());
    }
    if (this.#isHeard(player) && command.heard) await this.#lead(command.heard);
    if (isNews) await this.#tellConsoles();
  }

  /** What a page says first after everything was away, it has heard all along: its clock of the server is still the old one. */
  async #takeUp({ page }: Player, heard: PlayerHeard | undefined): Promise<void> {
    if (!heard || (await readPaPlayer(this.#ports.sql)).heard_page !== page) return;
    if (await adoptAfterOutage(this.#ports.sql, heard)) this.#ports.onQueue();
  }

  /** The lamps, and what is stored, follow the sound. */
  async #lead({ song_id, position, at, revision }: PlayerHeard): Promise<void> {
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
    this.#apart = apart === undefined ? [] : [...this.#apart.slice(1 - BEATS_KEPT), apart];
  }

  async #tellWhileAsked(): Promise<void> {
    this.#isTelling = true;
    while (this.#isAskedAgain) {
      this.#isAskedAgain = false;
      if (this.#players.size === 0) continue;
      try {
        const row = await readPaPlayer(this.#ports.sql);
        const queue = await queueForPlayers(this.#ports, row.level, this.#serverMs);
        const part = (await findLampPart(this.#ports.sql))?.part;
        this.#told = { row, queue, part };
        for (const player of this.#players) this.#tellPlayer(player, this.#told);
      } catch (error) {
        this.#ports.warn(`players could not be told: ${(error as Error).message}`);
      }
    }
    this.#isTelling = false;
  }

  #tellPlayer(player: Player, told: Told): void {
    const { row, queue } = told;
    if (player.page === "") return;
    if (!player.isOutput && !(row.seed && player.seed?.equals(row.seed))) return this.#withdraw(player);
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

  #heardPlayer({ heard_page }: PaPlayerRow): Player | undefined {
    return [...this.#players].find(({ page }) => page !== "" && page === heard_page);
  }

  /** A frozen page never says that it closed. */
  #dropSilent(): void {
    const now = performance.now();
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

const machineOf = (page: string): string => page.split(".", 1)[0]!;

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
