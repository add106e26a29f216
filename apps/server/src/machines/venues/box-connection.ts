import { mkdir, rm } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { MOST_SETTLED, VENUE_HELLO_MS, type BoxWelcome, type Tonight } from "@followspot/contract";
import { publishFile, temporaryPath } from "../../platform/files/atomic-file.ts";
import type { SongFiles } from "../../songs/catalog/song-files.ts";
import type { Sql } from "../../platform/database/database.ts";
import { isDiskFull } from "../../platform/files/disk.ts";
import { ServerAway, ServerRefused } from "../machine-door.ts";
import { transact } from "../../platform/database/transaction.ts";
import { VERSION } from "../../platform/process/version.ts";
import * as box from "./box.store.ts";
import { ownMigration } from "./fitting.ts";
import type { OfficeDoor } from "./office-door.ts";
import { readRigCopy, restoreRig, rigNumber } from "./rig-copy.ts";
import { NotSettled, takeTonight } from "./take-tonight.ts";
import { byOfficeClock, countUntold, noteTold, whatHappened } from "./what-happened.ts";

/** Interval between syncs of local changes while the office responds, ms. */
const LOOK_MS = 1000;
/** Delay before a retry after a failure that may resolve itself, such as a full disk, ms. */
const AGAIN_MS = 15_000;

/** Clock difference that is reported to the operator, ms: door times and talks follow the venue server's clock. */
const CLOCK_WRONG_MS = 60_000;

/** Delay before deferred deletions are tried again, ms. */
const LEFT_MS = 60_000;

export interface BoxConnectionOptions {
  readonly sql: Sql;
  readonly door: OfficeDoor;
  readonly files: SongFiles;
  readonly say: (line: string) => void;
  readonly warn: (line: string) => void;
  readonly signal: AbortSignal;
  /** Shorter in tests. */
  readonly helloMs?: number | undefined;
  readonly againMs?: number | undefined;
  /** Clock of this venue server, Unix time in ms; replaced in tests. */
  readonly clock?: (() => number) | undefined;
}

/**
 * Connection from a venue server to its office: pushes local changes, then asks whether tonight's data has changed, and
 * fetches the differences.
 */
export class BoxConnection {
  readonly #o: BoxConnectionOptions;
  #isFirst = true;
  #migration = "";
  #saidAt = -Infinity;
  /** Offset of the office's clock from this one, ms; positive if the office is ahead. */
  #aheadMs = 0;
  /** Time before which the snapshot with the stored mark is not fetched again: it is complete, or a fetch failed. */
  #againAt = -Infinity;

  constructor(options: BoxConnectionOptions) {
    this.#o = options;
  }

  /** Runs until the signal aborts. */
  async run(): Promise<void> {
    const { signal, sql, warn, againMs = AGAIN_MS } = this.#o;
    while (!signal.aborted) {
      try {
        await this.turn();
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof ServerAway) await box.storeCut(sql).catch(() => {}); // an unavailable database is reported elsewhere
        else {
          warn(`${(error as Error).message}`);
          this.#againAt = performance.now() + againMs;
          await box.storeLack(sql, lackOf(error as Error)).catch(() => {});
        }
        this.#saidAt = -Infinity;
        await pause(LOOK_MS, undefined, { signal }).catch(() => {});
      }
      await pause(LOOK_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Runs one cycle: pushes local changes, and sends a hello to the office when one is due. */
  async turn(): Promise<void> {
    const { sql, helloMs = VENUE_HELLO_MS } = this.#o;
    if (this.#migration === "") {
      await box.becomeBox(sql);
      this.#migration = await ownMigration();
    }
    const isDue = performance.now() - this.#saidAt >= helloMs;
    // After a disconnection the venue server sends its hello first.
    if (!isDue && !(await this.#settle())) return;
    const welcome = await this.#hello();
    await this.#settle();
    if (welcome.says !== "") return;
    await box.storeStandby(sql, welcome.is_standby);
    if (!welcome.is_standby) await this.#keepRig(welcome);
    const { mark } = (await box.findBox(sql))!; // inserted at startup
    if (welcome.mark === "" || welcome.mark === mark || performance.now() < this.#againAt) return;
    await this.#fetch();
  }

  async #hello(): Promise<BoxWelcome> {
    const { sql, door, say, signal, clock = Date.now } = this.#o;
    const before = await box.findBox(sql);
    const holds = await box.holdsOf(sql, await countUntold(sql));
    const hello = { is_start: this.#isFirst, version: VERSION, migration: this.#migration, holds };
    const askedAt = clock();
    const welcome = await door.hello(hello, signal);
    this.#aheadMs = Date.parse(welcome.time) - (askedAt + clock()) / 2;
    if (this.#isFirst) say(`is the box of “${welcome.venue}” for ${welcome.office}`);
    this.#isFirst = false;
    this.#saidAt = performance.now();
    if (welcome.says !== "" && welcome.says !== before?.says) say(welcome.says);
    const isMended = performance.now() >= this.#againAt;
    const lack = isMended ? lackOfClock(this.#aheadMs) : (before?.says ?? "");
    await box.storeWelcome(sql, { ...welcome, says: welcome.says || lack });
    return welcome;
  }

  /** Pushes local changes. @returns whether any were pushed */
  async #settle(): Promise<boolean> {
    const { sql, door, say, signal } = this.#o;
    for (let isTold = false; ; isTold = true) {
      const untold = (await whatHappened(sql)).slice(0, MOST_SETTLED);
      if (untold.length === 0) return isTold;
      const settled = await door.settle(
        untold.map(({ happened }) => byOfficeClock(happened, this.#aheadMs)),
        signal,
      );
      await transact(sql, (tx) => noteTold(tx, untold, settled));
      for (const { item, says } of settled.results.filter(({ state }) => state === "refused"))
        say(`the office does not take over ${item}: ${says}`);
      // Stops if the office acknowledges nothing, instead of retrying forever.
      if ((await countUntold(sql)) >= untold.length && settled.results.length === 0) return isTold;
    }
  }

  /** Syncs the rig: a new venue server restores it from the office, and then pushes each change. */
  async #keepRig({ has_rig }: BoxWelcome): Promise<void> {
    const { sql, door, say, signal } = this.#o;
    const { rig_told } = (await box.findBox(sql))!;
    if (rig_told === null && has_rig && (await restoreRig(sql, await door.rig(signal))))
      say("lamps and outputs of this venue came from the office");
    const revision = await rigNumber(sql);
    if (revision === rig_told) return;
    const rig = await readRigCopy(sql);
    // A new venue server without fixtures must not overwrite the rig stored at the office.
    if (rig_told !== null || rig.tables.some(({ rows }) => rows !== "[]")) await door.tellRig(rig, signal);
    await box.storeRigTold(sql, revision);
  }

  async #fetch(): Promise<void> {
    const { sql, door, say, signal } = this.#o;
    const { files: filesHeld = {}, ...rows } = await box.readHeld(sql);
    const [marks, own] = [await door.marks(signal), await box.readMarks(sql)];
    const isSame = (table: string) => marks[table] === (own[table] ?? "");
    const same = pickBy(marks, isSame);
    const tonight = await door.tonight({ same, held: pickBy(rows, (table) => !isSame(table)) }, signal);
    for (const file of tonight.files) await this.#fetchFile(file, filesHeld);
    const bytes = tonight.files.reduce((sum, file) => sum + file.bytes, 0);
    try {
      const left = await takeTonight(sql, tonight, bytes);
      if (left > 0) this.#againAt = performance.now() + LEFT_MS;
    } catch (error) {
      if (error instanceof NotSettled) return; // pushed in the next cycle; the fetch follows
      throw error;
    }
    const { songs, songs_of, people } = (await box.findBox(sql))!;
    say(`“${tonight.event.title}” is here: ${songs} songs of ${songs_of}, ${people} people`);
  }

  async #fetchFile({ song_id, name, sha256 }: Tonight["files"][number], held: Readonly<Record<string, string>>) {
    const { sql, door, files, signal } = this.#o;
    const key = `${song_id}/${name}`;
    if (held[key] === sha256 && (await files.stat(song_id, name))) return;
    const place = await files.openWork(song_id, ".tmp-venue");
    const partial = temporaryPath(`${place.folder}/${name}`, "venue-1");
    try {
      await mkdir(place.folder, { recursive: true });
      if ((await door.fetchFile(song_id, name, partial, signal)) !== sha256)
        throw new ServerAway(`${name} of song ${song_id} was replaced meanwhile`);
      if (files.isLocal) await publishFile(partial, files.path(song_id, name));
      else await files.take(song_id, name, partial);
    } finally {
      await rm(partial, { force: true });
      await place.close();
    }
    await box.noteHeld(sql, "files", { [key]: sha256 });
  }
}

const pickBy = <Value>(all: Readonly<Record<string, Value>>, isWanted: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => isWanted(name)));

function lackOfClock(aheadMs: number): string {
  if (Math.abs(aheadMs) < CLOCK_WRONG_MS) return "";
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  const far = `${minutes === 1 ? "a minute" : `${minutes} minutes`} ${aheadMs > 0 ? "behind" : "ahead of"}`;
  return `The clock of this box is ${far} the office's. Set it: doors and talks go by it.`;
}

/** Returns the problem as text for the operator at the venue. */
function lackOf(error: Error): string {
  if (isDiskFull(error)) return "There is no room on this box's disk for tonight. Make room: it is fetched then.";
  if (error instanceof ServerRefused) return `The office refuses: ${error.message}`;
  return `Tonight cannot be fetched: ${error.message}`;
}
