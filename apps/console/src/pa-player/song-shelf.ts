import { PLAYER_KEY_HEADER, PLAYER_PATHS, type PlayerSong } from "@followspot/contract";
import type { Shelf } from "@followspot/playing";
import { serverPath } from "../lib/base-path.ts";
import { decodeSong, type LoadedSong } from "./sounding-song.ts";

const AGAIN_MS = 2000;

export interface ShelfPorts {
  readonly context: AudioContext;
  readonly key: string;
  /** Called when a song was loaded or failed to load. */
  readonly onChange: () => void;
}

/** Audio of the current and the next songs: fetched ahead, and decoded shortly before playing. */
export class SongShelf implements Shelf<LoadedSong> {
  readonly #ports: ShelfPorts;
  #wanted: readonly PlayerSong[] = [];
  readonly #files = new Map<string, ArrayBuffer>();
  readonly #decoded = new Map<string, LoadedSong>();
  readonly #problems = new Map<string, string>();
  /** IDs of songs whose fetch failed a moment ago, to be retried later. */
  readonly #resting = new Set<string>();
  readonly #underWay = new Set<"fetch" | "decode">();

  constructor(ports: ShelfPorts) {
    this.#ports = ports;
  }

  /** Sets the songs to load, the current one first; all others are dropped. */
  want(songs: readonly PlayerSong[]): void {
    this.#wanted = songs;
    const ids = new Set(songs.map(({ id }) => id));
    for (const kept of [this.#files, this.#decoded, this.#problems])
      for (const id of kept.keys()) if (!ids.has(id)) kept.delete(id);
    this.#work();
  }

  /** Returns the decoded song; undefined until it is decoded. */
  ready(song: PlayerSong): LoadedSong | undefined {
    return this.#decoded.get(song.id);
  }

  /** Number of songs after the first that have been fetched. */
  get ahead(): number {
    return this.#wanted.slice(1).filter(({ id }) => this.#files.has(id)).length;
  }

  /** Reason why a song cannot be played; empty if all can. */
  get problem(): string {
    const broken = this.#wanted.find(({ id }) => this.#problems.has(id));
    return broken ? `${broken.title || "A song"}: ${this.#problems.get(broken.id)}` : "";
  }

  close(): void {
    this.#wanted = [];
  }

  /**
   * Runs one fetch and one decode at a time, nearest song first, so that the current song never waits for a later one.
   */
  #work(): void {
    const fetched = this.#wanted.find(({ id }) => !this.#files.has(id) && !this.#resting.has(id));
    // At most two songs stay decoded, the current and the next: each takes about 90 MB for four minutes.
    const decoded = this.#wanted.slice(0, 2).find(({ id }) => this.#files.has(id) && !this.#decoded.has(id) && !this.#problems.has(id)); // prettier-ignore
    if (fetched) this.#do("fetch", () => this.#fetch(fetched));
    if (decoded) this.#do("decode", () => this.#decode(decoded));
  }

  #do(kind: "fetch" | "decode", work: () => Promise<void>): void {
    if (this.#underWay.has(kind)) return;
    this.#underWay.add(kind);
    void work()
      .then(() => this.#ports.onChange())
      .catch((error: unknown) => console.error(error))
      .finally(() => {
        this.#underWay.delete(kind);
        this.#work();
      });
  }

  /** Never rejects. */
  async #fetch({ id }: PlayerSong): Promise<void> {
    try {
      const answer = await fetch(serverPath(`${PLAYER_PATHS.songs}/${encodeURIComponent(id)}/audio.mp3`), {
        headers: { [PLAYER_KEY_HEADER]: this.#ports.key },
      });
      if (!answer.ok)
        throw new Error(answer.status === 404 ? "its sound is missing" : `the server said ${answer.status}`);
      this.#files.set(id, await answer.arrayBuffer());
      this.#problems.delete(id);
    } catch (error) {
      this.#problems.set(id, `not loaded yet, ${(error as Error).message}. It is tried again.`);
      this.#resting.add(id);
      setTimeout(() => {
        this.#resting.delete(id);
        this.#work();
      }, AGAIN_MS);
    }
  }

  /** Never rejects. */
  async #decode(song: PlayerSong): Promise<void> {
    try {
      this.#decoded.set(song.id, await decodeSong(this.#ports.context, this.#files.get(song.id)!));
    } catch {
      this.#problems.set(song.id, "this browser cannot play its sound. Retry its download in Music.");
    }
  }
}
