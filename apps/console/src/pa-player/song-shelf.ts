import { PLAYER_KEY_HEADER, PLAYER_PATHS, type PlayerSong } from "@followspot/contract";
import type { Shelf } from "@followspot/playing";
import { serverPath } from "../lib/base-path.ts";
import { decodeSong, type LoadedSong } from "./sounding-song.ts";

const AGAIN_MS = 2000;

export interface ShelfPorts {
  readonly context: AudioContext;
  readonly key: string;
  /** Something was loaded, or could not be. */
  readonly onChange: () => void;
}

/** The song that plays and those that come next: fetched ahead, and decoded when they are about to sound. */
export class SongShelf implements Shelf<LoadedSong> {
  readonly #ports: ShelfPorts;
  #wanted: readonly PlayerSong[] = [];
  readonly #files = new Map<string, ArrayBuffer>();
  readonly #decoded = new Map<string, LoadedSong>();
  readonly #problems = new Map<string, string>();
  /** Those that could not be fetched a moment ago. */
  readonly #resting = new Set<string>();
  readonly #underWay = new Set<"fetch" | "decode">();

  constructor(ports: ShelfPorts) {
    this.#ports = ports;
  }

  /** @param songs the one that plays first; others are forgotten */
  want(songs: readonly PlayerSong[]): void {
    this.#wanted = songs;
    const ids = new Set(songs.map(({ id }) => id));
    for (const kept of [this.#files, this.#decoded, this.#problems])
      for (const id of kept.keys()) if (!ids.has(id)) kept.delete(id);
    this.#work();
  }

  /** undefined until it is decoded */
  ready(song: PlayerSong): LoadedSong | undefined {
    return this.#decoded.get(song.id);
  }

  /** Of the songs after the first so many are here. */
  get ahead(): number {
    return this.#wanted.slice(1).filter(({ id }) => this.#files.has(id)).length;
  }

  /** Why a song cannot be played; "" where all can. */
  get problem(): string {
    const broken = this.#wanted.find(({ id }) => this.#problems.has(id));
    return broken ? `${broken.title || "A song"}: ${this.#problems.get(broken.id)}` : "";
  }

  close(): void {
    this.#wanted = [];
  }

  /** One of each at a time, the nearest first: the song that plays never waits for the one after next. */
  #work(): void {
    const fetched = this.#wanted.find(({ id }) => !this.#files.has(id) && !this.#resting.has(id));
    // Two songs are kept decoded, the one that sounds and the next: each is some 90 MB for four minutes.
    const decoded = this.#wanted.slice(0, 2).find(({ id }) => this.#files.has(id) && !this.#decoded.has(id) && !this.#problems.has(id)); // prettier-ignore
    if (fetched) this.#do("fetch", () => this.#fetch(fetched));
    if (decoded) this.#do("decode", () => this.#decode(decoded));
  }

  #do(kind: "fetch" | "decode", work: () => Promise<void>): void {
    if (this.#underWay.has(kind)) return;
    this.#underWay.add(kind);
    void work().then(() => {
      this.#underWay.delete(kind);
      this.#ports.onChange();
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
