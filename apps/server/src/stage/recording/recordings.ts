import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { recordingSchema, type Output, type Recording, type Recordings, type Rig } from "@followspot/contract";
import { writeFileAtomic } from "../../platform/files/atomic-file.ts";
import { newId } from "../../platform/database/ids.ts";
import type { Log } from "../../platform/process/log.ts";
import type { Lamps, Source, SourceKind } from "../lamps/lamps.ts";
import { monotonicMs } from "../outputs/frame-ring.ts";
import type { SentTick } from "../outputs/sent-tap.ts";
import { RecordingWriter } from "./recording-file.ts";
import { Replay } from "./replay.ts";

/** Limit of recordings; at the limit a user has to delete some. */
const MAX_RECORDINGS = 200;
/** Longest recording, seconds; it is stopped then. */
const MAX_SECONDS = 12 * 3600;
/** Interval at which the page of a running recording is written, ms. */
const KEEP_MS = 5000;
const KEEP_UP_MS = 250;

/** The request cannot be fulfilled; the sentence states what to do. */
export class RecordingRefused extends Error {}

export interface RecordingsOptions {
  /** Folder of the recordings, each with a page of facts: `ID.frames.gz` and `ID.json`. */
  readonly folder: string;
  /** Reports every sent tick from now on. @returns function that ends it */
  readonly tap: (onSent: (sent: SentTick) => void) => () => void;
  readonly rig: () => { readonly rig: Rig; readonly outputs: readonly Output[] };
  /** Replays request the fixtures from it. */
  readonly lamps: Lamps;
  readonly log: Log;
  /** Returns the time of the next tick of the outputs, in `monotonicMs`; recordings and replays begin at a tick. */
  readonly nextTickMs: () => number;
  /** Called when the visible scene has changed. */
  readonly refresh: () => void;
}

interface RunningRecording {
  readonly page: Recording;
  readonly writer: RecordingWriter;
  readonly keeping: NodeJS.Timeout;
  readonly endTap: () => void;
}

interface RunningReplay extends Source {
  readonly show: Replay;
  timer?: NodeJS.Timeout;
}

/** Holder used by replays. */
const HOLDER = { person: "recordings", page: "recordings", connection: "recordings" };
/** How to free the fixtures for a replay, by the source that owns them. */
const IN_THE_WAY: Readonly<Record<SourceKind, string>> = {
  song: "A song has the lights. Pause it and leave its page first.",
  queue: "The show queue has the lights. Stop the music first.",
  sound: "Live sound has the lights. Give it back at the desk first.",
  calibration: "An output is being calibrated. End that first.",
  test: "An output is being tested. Wait two seconds.",
  replay: "Another recording is being replayed. Stop it first.",
};

/** Manages the recorded shows: at most one recording and at most one replay at a time. */
export class RecordingShelf {
  readonly #options: RecordingsOptions;
  #running: RunningRecording | undefined;
  #replay: RunningReplay | undefined;
  #replayProblem = "";
  /** Serializes requests. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: RecordingsOptions) {
    this.#options = options;
  }

  /** Lists the recordings, newest first. */
  async tell(): Promise<Recordings> {
    const recordings = await this.#read();
    const now = monotonicMs();
    const replay = this.#replay;
    return {
      recordings: recordings.toSorted((a, b) => (a.id < b.id ? 1 : -1)),
      patch: patchOf(this.#options.rig().rig),
      replay: replay ? { id: replay.id, position: replay.show.positionAt(now) } : null,
      replay_problem: this.#replayProblem,
    };
  }

  /** @param by user who requests it @throws RecordingRefused */
  start(name: string, by: string): Promise<Recording> {
    return this.#inTurn(async () => {
      const { folder, log, tap } = this.#options;
      const { rig, outputs } = this.#options.rig();
      const on = outputs.filter(({ enabled }) => enabled);
      if (this.#running) throw new RecordingRefused("A recording is going on already. Stop it first.");
      if (on.length === 0) throw new RecordingRefused("There is nothing to record: no output is on.");
      if (this.#replay) throw new RecordingRefused("A recording is being replayed. Stop it first.");
      await mkdir(folder, { recursive: true }).catch((error: unknown) => {
        throw new RecordingRefused(`Recordings cannot be kept: ${messageOf(error)}.`);
      });
      if ((await this.#read()).length >= MAX_RECORDINGS)
        throw new RecordingRefused(`There are ${MAX_RECORDINGS} recordings. Delete some first.`);
      const offsets = Object.fromEntries(on.toReversed().map(({ universe, offsetMs }) => [universe, offsetMs]));
      const page: Recording = {
        id: newId(),
        name,
        started_at: new Date().toISOString(),
        started_by: by,
        seconds: 0,
        frames: 0,
        bytes: 0,
        universes: Object.keys(offsets).map(Number),
        state: "recording",
        problem: "",
        patch: patchOf(rig),
      };
      const fail = (error: Error) => {
        log.error({ err: error, recording: page.id }, "the recording cannot be written");
        void this.#cutOff(`It could not be written: ${error.message}.`);
      };
      const writer = new RecordingWriter(this.#framesOf(page.id), offsets, fail, this.#options.nextTickMs());
      await this.#keep(page).catch(async (error: unknown) => {
        await writer.close(monotonicMs()).catch(() => undefined); // the error thrown below states the reason
        await rm(this.#framesOf(page.id), { force: true });
        throw new RecordingRefused(`Recordings cannot be kept: ${messageOf(error)}.`);
      });
      const keeping = setInterval(() => void this.#keepRunning(), KEEP_MS);
      this.#running = { page, writer, keeping, endTap: tap((sent) => sent.isPreview || writer.add(sent)) };
      return page;
    });
  }

  /** @param problem reason if it is aborted */
  stop(problem = ""): Promise<Recording | undefined> {
    return this.#inTurn(async () => {
      const running = this.#running;
      if (!running) return undefined;
      this.#running = undefined;
      clearInterval(running.keeping);
      running.endTap();
      const now = monotonicMs();
      await running.writer.close(now);
      return this.#keep({ ...this.#pageOf(running, now), state: problem === "" ? "whole" : "cut_off", problem });
    });
  }

  /**
   * Aborts a recording in the background. On a full disk its page stays unchanged and is reported as cut off at the
   * next start.
   */
  async #cutOff(problem: string): Promise<void> {
    await this.stop(problem).catch((error: unknown) =>
      this.#options.log.error({ err: error }, "the recording could not be ended"),
    );
  }

  /** @throws RecordingRefused */
  play(id: string): Promise<void> {
    return this.#inTurn(async () => {
      const { lamps, nextTickMs, refresh } = this.#options;
      const recording = (await this.#read()).find((page) => page.id === id);
      if (!recording) throw new RecordingRefused("This recording is not there any more.");
      if (recording.state === "recording") throw new RecordingRefused("It is still being recorded. Stop it first.");
      if (this.#running) throw new RecordingRefused("A recording is going on. Stop it first.");
      const show = await Replay.open(this.#framesOf(id)).catch((error: unknown) => {
        throw new RecordingRefused(`The recording cannot be read: ${messageOf(error)}.`);
      });
      const replay = this.#sourceOf(id, show);
      const inTheWay = lamps.request(replay, monotonicMs());
      if (inTheWay) {
        show.close();
        throw new RecordingRefused(IN_THE_WAY[inTheWay.kind]);
      }
      this.#replayProblem = "";
      show.start(nextTickMs());
      lamps.ready(replay);
      replay.timer = setInterval(() => void this.#keepUp(), KEEP_UP_MS);
      this.#replay = replay;
      refresh();
    });
  }

  stopReplay(): void {
    if (!this.#replay) return;
    this.#options.lamps.release(this.#replay);
    this.#end(this.#replay);
    this.#options.refresh();
  }

  /** @throws RecordingRefused */
  remove(id: string): Promise<Recording> {
    return this.#inTurn(async () => {
      const recording = (await this.#read()).find((page) => page.id === id);
      if (!recording) throw new RecordingRefused("This recording is not there any more.");
      if (this.#running?.page.id === id || this.#replay?.id === id)
        throw new RecordingRefused("It is being recorded or replayed. Stop it first.");
      await rm(this.#pathOf(id), { force: true });
      await rm(this.#framesOf(id), { force: true });
      return recording;
    });
  }

  async close(): Promise<void> {
    this.stopReplay();
    await this.stop();
  }

  #sourceOf(id: string, show: Replay): RunningReplay {
    const replay: RunningReplay = {
      kind: "replay",
      id,
      holder: HOLDER,
      isHeld: true,
      drawing: undefined,
      show,
      isRunningAt: (ms) => !show.isOverAt(ms),
      sceneAt: (ms) => {
        if (show.isOverAt(ms)) return undefined;
        return { kind: "recorded", slotsOf: (universe, offsetMs) => show.slotsAt(universe, ms, offsetMs) };
      },
      replaced: () => this.#end(replay),
    };
    return replay;
  }

  #end(replay: RunningReplay): void {
    clearInterval(replay.timer);
    replay.show.close();
    if (this.#replay === replay) this.#replay = undefined;
  }

  async #keepUp(): Promise<void> {
    const replay = this.#replay;
    if (!replay) return;
    try {
      await replay.show.keepUp(monotonicMs());
      if (replay.show.isOverAt(monotonicMs()) && this.#replay === replay) this.stopReplay();
    } catch (error) {
      this.#options.log.error({ err: error, recording: replay.id }, "the replay ended early");
      if (this.#replay !== replay) return;
      this.#replayProblem = `The replay ended early: ${messageOf(error)}.`;
      this.stopReplay();
    }
  }

  async #keepRunning(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    if (running.writer.secondsAt(monotonicMs()) > MAX_SECONDS) await this.#cutOff("It ran for twelve hours.");
    else await this.#keep(this.#pageOf(running)).catch(() => undefined); // the next write may succeed
  }

  #pageOf({ page, writer }: RunningRecording, ms = monotonicMs()): Recording {
    return { ...page, seconds: writer.secondsAt(ms), frames: writer.frames };
  }

  async #keep(page: Recording): Promise<Recording> {
    await writeFileAtomic(this.#pathOf(page.id), JSON.stringify(page), "stage");
    return page;
  }

  async #read(): Promise<Recording[]> {
    const names = await readdir(this.#options.folder).catch(() => []); // nothing was recorded yet
    const ids = names.flatMap((name) => /^([0-9A-Z]{26})\.json$/.exec(name)?.[1] ?? []);
    const pages = await Promise.all(ids.map((id) => this.#readPage(id)));
    return pages.filter((page) => page !== undefined);
  }

  async #readPage(id: string): Promise<Recording | undefined> {
    try {
      const page = recordingSchema.parse(JSON.parse(await readFile(this.#pathOf(id), "utf8")));
      const { size: bytes } = await stat(this.#framesOf(id));
      if (this.#running?.page.id === id) return { ...this.#pageOf(this.#running), bytes };
      if (page.state !== "recording") return { ...page, bytes };
      return { ...page, bytes, state: "cut_off", problem: "The stage ended before the recording did." };
    } catch (error) {
      this.#options.log.warn({ err: error, recording: id }, "a recording cannot be read");
      return undefined; // half deleted, or not a recording
    }
  }

  #pathOf(id: string): string {
    return join(this.#options.folder, `${id}.json`);
  }

  #framesOf(id: string): string {
    return join(this.#options.folder, `${id}.frames.gz`);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined);
    return done;
  }
}

/** Returns a fingerprint of the patch. A recording made with a different patch is replayed wrong. */
function patchOf({ lights }: Rig): string {
  const places = lights.map(({ universe, address, mode }) =>
    JSON.stringify([universe, address, mode.channels.map(({ kind }) => kind)]),
  );
  return createHash("sha256").update(places.toSorted().join()).digest("hex").slice(0, 16);
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
