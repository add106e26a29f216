import type { SongAnalysis } from "@followspot/contract";
import { isSongId, type SongFiles } from "./song-files.ts";

/** Properties of a song's audio that a player needs. */
export interface SongSound {
  /** Length in seconds. */
  readonly seconds: number;
  /** Integrated loudness, LUFS (ITU-R BS.1770). */
  readonly loudness: number;
}

/** Most cached songs; more than a night has. */
const MOST_KEPT = 500;

/** Returns length and loudness of songs from their analyses. Each file is read once until it changes. */
export class SongSounds {
  readonly #files: SongFiles;
  readonly #kept = new Map<string, { readonly etag: string; readonly sound: SongSound }>();

  constructor(files: SongFiles) {
    this.#files = files;
  }

  /** @returns undefined for a song without an analysis */
  async of(songId: string): Promise<SongSound | undefined> {
    const { etag } = (isSongId(songId) && (await this.#files.stat(songId, "hybrid.json"))) || {};
    if (etag === undefined) return undefined;
    const kept = this.#kept.get(songId);
    if (kept?.etag === etag) return kept.sound;
    const heard = (await this.#files.readJson(songId, "hybrid.json")) as SongAnalysis | undefined; // our own file
    if (!heard) return undefined;
    const sound = { seconds: heard.duration, loudness: heard.dynamics.loudness };
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#kept.set(songId, { etag, sound });
    return sound;
  }
}
