import { TICK_MS } from "../outputs/frame-ring.ts";
import { readRecording, type RecordedFrame, type RecordingLine } from "./recording-file.ts";

/** Seconds of the recording read ahead; the stage renders 0.8 s ahead. */
const AHEAD_SECONDS = 4;
/** Seconds of past frames kept for outputs with a negative offset. */
const BEHIND_SECONDS = 1;

/** Current and future looks of one universe that have been read, oldest first. */
interface Track {
  readonly frames: { readonly t: number; readonly slots: Uint8Array }[];
  /** Milliseconds by which its light was sent ahead of the music. */
  readonly offsetMs: number;
}

/** A recording during its replay. */
export class Replay {
  readonly #lines: AsyncGenerator<RecordingLine>;
  readonly #tracks = new Map<number, Track>();
  #offsets: ReadonlyMap<number, number> = new Map();
  #readSeconds = 0;
  /** Length in seconds, once the end has been read. */
  #seconds: number | undefined;
  #startMs: number | undefined;
  #reading: Promise<void> | undefined;

  private constructor(lines: AsyncGenerator<RecordingLine>) {
    this.#lines = lines;
  }

  /** Opens a recording, ready to start. @throws RecordingError if it cannot be read */
  static async open(path: string): Promise<Replay> {
    const replay = new Replay(readRecording(path));
    await replay.#readTo(AHEAD_SECONDS);
    return replay;
  }

  /** @param ms time of the first frame, in `monotonicMs` */
  start(ms: number): void {
    this.#startMs = ms;
  }

  get universes(): readonly number[] {
    return [...this.#tracks.keys()].toSorted((a, b) => a - b);
  }

  /** Returns the seconds played at a moment. */
  positionAt(ms: number): number {
    return this.#startMs === undefined ? 0 : Math.max(0, (ms - this.#startMs) / 1000);
  }

  isOverAt(ms: number): boolean {
    return this.#seconds !== undefined && this.positionAt(ms) > this.#seconds;
  }

  /** Reads ahead and drops past frames. Call it several times a second. @throws RecordingError for an invalid line */
  async keepUp(ms: number): Promise<void> {
    const position = this.positionAt(ms);
    for (const { frames } of this.#tracks.values()) {
      while (frames[1] && frames[1].t < position - BEHIND_SECONDS) frames.shift();
    }
    this.#reading ??= this.#readTo(position + AHEAD_SECONDS).finally(() => (this.#reading = undefined));
    await this.#reading;
  }

  /**
   * Returns the slots of a universe at a moment; undefined if it is not in the recording, or not yet. A frame is shown
   * at the tick nearest to its time, so a recording at the stage's own rate is replayed tick by tick.
   * @param offsetMs time by which the output is ahead of the music
   */
  slotsAt(universe: number, ms: number, offsetMs = 0): Uint8Array | undefined {
    const track = this.#tracks.get(universe);
    if (!track) return undefined;
    const at = this.positionAt(ms + TICK_MS / 2 + offsetMs - track.offsetMs);
    let slots: Uint8Array | undefined;
    for (const frame of track.frames) {
      if (frame.t > at) break;
      slots = frame.slots;
    }
    return slots;
  }

  close(): void {
    void this.#lines.return(undefined).catch(() => undefined); // closes the file
  }

  async #readTo(seconds: number): Promise<void> {
    while (this.#seconds === undefined && this.#readSeconds < seconds) {
      const { value: line, done } = await this.#lines.next();
      if (done) this.#seconds = this.#readSeconds;
      else if (line.kind === "head") this.#offsets = line.offsets;
      else if (line.kind === "end") this.#seconds = Math.max(line.seconds, this.#readSeconds);
      else this.#take(line);
    }
  }

  #take({ t, universes }: RecordedFrame): void {
    this.#readSeconds = Math.max(this.#readSeconds, t);
    for (const [universe, slots] of universes) {
      let track = this.#tracks.get(universe);
      if (!track) this.#tracks.set(universe, (track = { frames: [], offsetMs: this.#offsets.get(universe) ?? 0 }));
      // Times must not run backward; in a file where they do, frames keep the order of the file.
      track.frames.push({ t: Math.max(t, track.frames.at(-1)?.t ?? 0), slots });
    }
  }
}
