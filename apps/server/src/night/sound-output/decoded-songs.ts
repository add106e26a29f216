import type { PlayerSong } from "@followspot/contract";
import type { Pcm, Shelf } from "@followspot/playing";
import { decodeAudio, MAX_SONG_SECONDS } from "../../songs/audio/decode-audio.ts";
import { DECODED_RATE } from "../../songs/audio/decoded-sound.ts";
import { isSongId, type SongFiles } from "../../songs/catalog/song-files.ts";

const AGAIN_MS = 2000;
/** Number of songs kept decoded: the current one and the next two. Four minutes need some 90 MB. */
const KEPT = 3;
/** Total length up to which next songs are decoded ahead, seconds: some 420 MB. */
const MOST_SECONDS = 20 * 60;
/** How much longer than its metadata a song may be, seconds. */
const LONGER = 5;

export interface DecodedSong extends Pcm {
  readonly seconds: number;
  /** Highest absolute sample; 1 is full scale, and higher values are possible. */
  readonly peak: number;
}

export interface DecodedSongsPorts {
  readonly files: Pick<SongFiles, "localCopy">;
  readonly ffmpeg: string | undefined;
  /** Called when a song was decoded or failed. */
  readonly onChange: () => void;
}

/** Decodes the current and the next songs ahead, so that they play even while the server and the disk are busy. */
export class DecodedSongs implements Shelf<DecodedSong> {
  readonly #ports: DecodedSongsPorts;
  #wanted: readonly PlayerSong[] = [];
  readonly #decoded = new Map<string, DecodedSong>();
  readonly #problems = new Map<string, string>();
  #atWork: { readonly id: string; readonly stop: AbortController } | undefined;
  #again: NodeJS.Timeout | undefined;

  constructor(ports: DecodedSongsPorts) {
    this.#ports = ports;
  }

  want(songs: readonly PlayerSong[]): void {
    this.#wanted = withinMemory(songs.slice(0, KEPT));
    const ids = new Set(this.#wanted.map(({ id }) => id));
    for (const kept of [this.#decoded, this.#problems]) for (const id of kept.keys()) if (!ids.has(id)) kept.delete(id);
    if (this.#atWork && !ids.has(this.#atWork.id)) this.#atWork.stop.abort();
    this.#work();
  }

  ready({ id }: PlayerSong): DecodedSong | undefined {
    return this.#decoded.get(id);
  }

  get ahead(): number {
    return this.#wanted.slice(1).filter(({ id }) => this.#decoded.has(id)).length;
  }

  get problem(): string {
    const broken = this.#wanted.find(({ id }) => this.#problems.has(id));
    return broken ? `${broken.title || "A song"}: ${this.#problems.get(broken.id)}` : "";
  }

  close(): void {
    this.#wanted = [];
    this.#atWork?.stop.abort();
    clearTimeout(this.#again);
  }

  /** Decodes one song at a time, in queue order. */
  #work(): void {
    const next = this.#wanted.find(({ id }) => !this.#decoded.has(id) && !this.#problems.has(id));
    if (this.#atWork || !next) return;
    const stop = new AbortController();
    this.#atWork = { id: next.id, stop };
    void this.#decode(next, stop.signal)
      .then(() => this.#ports.onChange())
      .catch((error: unknown) => console.error(error))
      .finally(() => {
        this.#atWork = undefined;
        this.#work();
      });
  }

  /** Never rejects. */
  async #decode({ id, seconds }: PlayerSong, signal: AbortSignal): Promise<void> {
    try {
      if (!isSongId(id)) throw new Error("the name of its file is invalid");
      const path = await this.#ports.files.localCopy(id, "audio.mp3");
      if (path === undefined) throw new Error("its file is missing");
      const song = await decodeAt(this.#ports.ffmpeg, path, seconds, signal);
      if (this.#wanted.some((each) => each.id === id)) this.#decoded.set(id, song);
    } catch (error) {
      if (signal.aborted) return;
      this.#problems.set(id, `its sound cannot be played (${(error as Error).message}). Retry its download in Music.`);
      // A missing file may be downloaded during the night.
      clearTimeout(this.#again);
      this.#again = setTimeout(() => {
        this.#problems.clear();
        this.#work();
      }, AGAIN_MS);
    }
  }
}

/** Returns the current song, whatever its length, and the following ones that fit into memory. */
function withinMemory(songs: readonly PlayerSong[]): readonly PlayerSong[] {
  let total = 0;
  const tooMuch = songs.findIndex(({ seconds }, i) => (total += seconds) > MOST_SECONDS && i > 0);
  return tooMuch < 0 ? songs : songs.slice(0, tooMuch);
}

/**
 * Decodes a song at the rate of the decoders. The player resamples it, so that the first song needs no second pass
 * here. Blocks are written in place: this thread also plays the sound, so it never copies a whole song.
 * @param seconds length of the song by its metadata
 */
async function decodeAt(
  ffmpeg: string | undefined,
  path: string,
  seconds: number,
  signal: AbortSignal,
): Promise<DecodedSong> {
  let sides = sidesOf(Math.ceil((Math.min(seconds, MAX_SONG_SECONDS) + LONGER) * DECODED_RATE));
  let frames = 0;
  let peak = 0;
  const onSamples = (left: Float32Array, right: Float32Array) => {
    if (frames + left.length > sides[0].length) {
      const longer = sidesOf((frames + left.length) * 2);
      sides.forEach((side, i) => longer[i]!.set(side.subarray(0, frames)));
      sides = longer;
    }
    [left, right].forEach((block, i) => {
      sides[i]!.set(block, frames);
      for (const sample of block) peak = Math.max(peak, Math.abs(sample));
    });
    frames += left.length;
  };
  await decodeAudio(path, { ffmpeg, signal, onSamples });
  const [left, right] = sides;
  return { left: left.subarray(0, frames), right: right.subarray(0, frames), seconds: frames / DECODED_RATE, peak };
}

const sidesOf = (frames: number) => [new Float32Array(frames), new Float32Array(frames)] as const;
