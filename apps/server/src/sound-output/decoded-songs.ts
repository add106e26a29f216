import type { PlayerSong } from "@followspot/contract";
import type { Pcm, Shelf } from "@followspot/playing";
import { decodeAudio, DECODED_RATE } from "../audio/decode-audio.ts";
import { isSongId, type SongFiles } from "../music/song-files.ts";

const AGAIN_MS = 2000;
/** Songs that are kept decoded: the one that sounds and the next two. Each is some 90 MB for four minutes. */
const KEPT = 3;

export interface DecodedSong extends Pcm {
  readonly seconds: number;
  /** Highest sample, 0..1 and above. */
  readonly peak: number;
}

export interface DecodedSongsPorts {
  readonly files: Pick<SongFiles, "path">;
  readonly ffmpeg: string | undefined;
  /** Something was decoded, or could not be. */
  readonly onChange: () => void;
}

/** The song that plays and those that come next, decoded ahead: they sound also while the server and the disk are busy. */
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
    this.#wanted = songs.slice(0, KEPT);
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

  /** One at a time, the nearest first. */
  #work(): void {
    const next = this.#wanted.find(({ id }) => !this.#decoded.has(id) && !this.#problems.has(id));
    if (this.#atWork || !next) return;
    const stop = new AbortController();
    this.#atWork = { id: next.id, stop };
    void this.#decode(next, stop.signal).then(() => {
      this.#atWork = undefined;
      this.#ports.onChange();
      this.#work();
    });
  }

  /** Never rejects. */
  async #decode({ id }: PlayerSong, signal: AbortSignal): Promise<void> {
    try {
      if (!isSongId(id)) throw new Error("its name is none of a song");
      const song = await decodeAt(this.#ports.ffmpeg, this.#ports.files.path(id, "audio.mp3"), signal);
      if (this.#wanted.some((each) => each.id === id)) this.#decoded.set(id, song);
    } catch (error) {
      if (signal.aborted) return;
      this.#problems.set(id, `its sound cannot be played (${(error as Error).message}). Retry its download in Music.`);
      // A download may come in the middle of the night.
      clearTimeout(this.#again);
      this.#again = setTimeout(() => {
        this.#problems.clear();
        this.#work();
      }, AGAIN_MS);
    }
  }
}

/** At the rate of the decoders: what plays it makes that its own, and the first song waits for no second pass here. */
async function decodeAt(ffmpeg: string | undefined, path: string, signal: AbortSignal): Promise<DecodedSong> {
  const { left, right } = await decodeAudio(path, { ffmpeg, signal });
  let peak = 0;
  for (const side of [left, right]) for (const sample of side) peak = Math.max(peak, Math.abs(sample));
  return { left, right, seconds: left.length / DECODED_RATE, peak };
}
