import { createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { finished } from "node:stream/promises";
import { constants, createGunzip, createGzip, type Gzip } from "node:zlib";
import { z } from "zod";
import type { SentTick } from "../outputs/sent-tap.ts";
import { SLOTS } from "../outputs/frame-ring.ts";

/*
 * A recording is a gzipped text of JSON lines: first the head, then one line for each tick with a change, finally its
 * duration. The lines of frames are those that `song -- frames` prints, so that its output can be replayed as well.
 *
 *   {"recording": 1, "offsets": {"1": 20}}
 *   {"t": 0.022831, "universes": {"1": "ff00c8…"}}
 *   {"end": 312.48}
 *
 * `t` is the time of sending since the first frame, in seconds to the microsecond. Slots are hex; slots missing at the
 * end of a universe are 0. `offsets` are the milliseconds by which the light of a universe was sent ahead of the music.
 */

const headSchema = z.object({ recording: z.literal(1), offsets: z.record(z.string(), z.number()) });
const frameSchema = z.object({
  t: z.number().min(0).max(1e6),
  universes: z.record(
    z.string().regex(/^[1-9]\d{0,4}$/),
    z
      .string()
      .max(2 * SLOTS)
      .regex(/^([0-9a-f]{2})*$/i),
  ),
});
const endSchema = z.object({ end: z.number().min(0) });

export interface RecordedFrame {
  /** Seconds since the recording began. */
  readonly t: number;
  /** The universes that changed. */
  readonly universes: readonly (readonly [universe: number, slots: Uint8Array])[];
}

export type RecordingLine =
  | { readonly kind: "head"; readonly offsets: ReadonlyMap<number, number> }
  | ({ readonly kind: "frame" } & RecordedFrame)
  | { readonly kind: "end"; readonly seconds: number };

/** The file is not a valid recording; the message states why. */
export class RecordingError extends Error {}

/** Magic number of a gzipped file (RFC 1952), hex. */
const GZIP = "1f8b";
/** Interval between flushes to the disk, ms; a crash of the stage loses at most this. */
const FLUSH_MS = 1000;
/** Limit of a line, bytes: 512 slots of 128 universes as hex, and their names. */
const MAX_LINE = 150_000;
/** Limit of buffered bytes; a slower disk ends the recording. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/** Writes a recording. An error is reported once; later frames are discarded. */
export class RecordingWriter {
  readonly #gzip: Gzip;
  readonly #flushing: NodeJS.Timeout;
  readonly #saved: Promise<void>;
  #startMs: number | undefined;
  #frames = 0;

  /**
   * @param path path of a new file
   * @param startMs start in `monotonicMs`; the first frame's time if omitted
   */
  constructor(
    path: string,
    offsets: Readonly<Record<string, number>>,
    onError: (error: Error) => void,
    startMs?: number,
  ) {
    this.#startMs = startMs;
    this.#gzip = createGzip();
    const file = createWriteStream(path, { flags: "wx", flush: true });
    this.#saved = finished(this.#gzip.pipe(file));
    const fail = (error: Error) => {
      clearInterval(this.#flushing);
      this.#gzip.destroy();
      onError(error);
    };
    this.#saved.catch(fail);
    this.#gzip.on("error", fail);
    this.#flushing = setInterval(() => this.#gzip.flush(constants.Z_SYNC_FLUSH), FLUSH_MS);
    this.#write({ recording: 1, offsets });
  }

  /** Returns its length up to a moment, seconds. */
  secondsAt(ms: number): number {
    return this.#startMs === undefined ? 0 : Math.max(0, (ms - this.#startMs) / 1000);
  }

  /** Number of frames written. */
  get frames(): number {
    return this.#frames;
  }

  add({ ms, universes }: SentTick): void {
    this.#startMs ??= ms;
    this.#frames++;
    this.#write({
      t: Math.round(this.secondsAt(ms) * 1e6) / 1e6,
      universes: Object.fromEntries(universes.map(([universe, slots]) => [universe, hexOf(slots)])),
    });
  }

  /** @param ms end in `monotonicMs`; the last look stays until then */
  async close(ms: number): Promise<void> {
    clearInterval(this.#flushing);
    this.#write({ end: Math.round(this.secondsAt(ms) * 1e6) / 1e6 });
    this.#gzip.end();
    await this.#saved.catch(() => undefined); // reported already
  }

  #write(line: object): void {
    if (this.#gzip.destroyed) return;
    if (this.#gzip.writableLength > MAX_WAITING_BYTES) this.#gzip.destroy(new Error("the disk does not keep up"));
    else this.#gzip.write(`${JSON.stringify(line)}\n`);
  }
}

/** Encodes slots as hex without the zeros at the end. */
function hexOf(slots: Uint8Array): string {
  let length = slots.length;
  while (length > 0 && slots[length - 1] === 0) length--;
  return Buffer.from(slots.buffer, slots.byteOffset, length).toString("hex");
}

/**
 * Reads a recording line by line, gzipped or not. A recording whose end is missing because the stage or the machine was
 * switched off ends with its last bytes. @throws RecordingError for an invalid line
 */
export async function* readRecording(path: string): AsyncGenerator<RecordingLine> {
  let number = 0;
  for await (const line of linesOf(path)) {
    number++;
    if (line.trim() !== "") yield parseLine(line, number);
  }
}

function parseLine(text: string, number: number): RecordingLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RecordingError(`line ${number} is not JSON`);
  }
  const frame = frameSchema.safeParse(value);
  if (frame.success) return { kind: "frame", t: frame.data.t, universes: universesOf(frame.data.universes) };
  const head = headSchema.safeParse(value);
  if (head.success) {
    const offsets = Object.entries(head.data.offsets).map(([universe, ms]) => [Number(universe), ms] as const);
    return { kind: "head", offsets: new Map(offsets) };
  }
  const end = endSchema.safeParse(value);
  if (end.success) return { kind: "end", seconds: end.data.end };
  throw new RecordingError(`line ${number} is neither a frame nor the head or end of a recording`);
}

function universesOf(universes: Readonly<Record<string, string>>): RecordedFrame["universes"] {
  return Object.entries(universes).map(([universe, hex]) => {
    const slots = new Uint8Array(SLOTS);
    slots.set(Buffer.from(hex, "hex"));
    return [Number(universe), slots];
  });
}

async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of bytesOf(path)) {
    const lines = (rest + chunk.toString("latin1")).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE || lines.some((line) => line.length > MAX_LINE))
      throw new RecordingError("it has a line that is longer than any frame");
    yield* lines;
  }
  // The last line of a truncated recording may be incomplete.
  if (rest.trim() !== "" && isJson(rest)) yield rest;
}

async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  const file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
  const bytes = file.createReadStream({ start: 0 });
  if (buffer.toString("hex") !== GZIP) return yield* bytes;
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  bytes.on("error", (error) => gunzip.destroy(error));
  try {
    yield* bytes.pipe(gunzip);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "Z_DATA_ERROR")
      throw new RecordingError("its bytes are damaged");
    throw error;
  } finally {
    bytes.destroy();
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
