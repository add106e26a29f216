import { forgetOldTries } from "../community/auth/sign-in-tries.store.ts";
import { BlobError } from "../platform/blobs/blob-store.ts";
import { readFixturesAgain } from "../lights/read-fixtures-again.ts";
import { drawOutlines } from "../songs/library/draw-outlines.ts";
import { mendSounds } from "../songs/catalog/mend-sounds.ts";
import { describePurged, purgeAlone, type OldFiles } from "../songs/library/old-files.ts";
import type { SongFiles } from "../songs/catalog/song-files.ts";
import { knownSongs } from "../songs/catalog/songs.store.ts";
import { forgetOldFaults } from "../night/faults.store.ts";
import type { Sql } from "../platform/database/database.ts";
import { forgetOldAnswers } from "../platform/database/idempotency.store.ts";
import { every } from "../platform/every.ts";
import type { Settings } from "../platform/settings.ts";
import { purgeTalks } from "../events/talks/talks.store.ts";

const TIDY_MS = 10 * 60_000;
/** How long a deleted talk can be brought back. */
const KEPT_TALK_HOURS = 24;
/** Half-written files of songs that have not been written to for so long have no writer: an engine may take a day. */
const DEAD_MS = 2 * 24 * 3600_000;

export interface UpkeepPorts {
  readonly sql: Sql;
  readonly files: SongFiles;
  readonly settings: Pick<Settings, "FOLLOWSPOT_KEEP_STEMS_DAYS" | "FOLLOWSPOT_KEEP_ORIGINALS_DAYS">;
  readonly countPurged: (old: OldFiles) => void;
  readonly info: (message: string) => void;
  readonly warn: (message: string) => void;
  /** Work that breaks off while the server stops is no fault. */
  readonly isStopping: () => boolean;
}

/** What the API does beside answering: removes what is needed no longer, and brings what earlier versions made up to date. */
export class Upkeep {
  readonly #ports: UpkeepPorts;

  constructor(ports: UpkeepPorts) {
    this.#ports = ports;
  }

  /** Tidies up, and removes old files of songs where that is set, every ten minutes. @returns ends it */
  start(): () => void {
    const { settings, warn } = this.#ports;
    const days = { stems: settings.FOLLOWSPOT_KEEP_STEMS_DAYS, original: settings.FOLLOWSPOT_KEEP_ORIGINALS_DAYS };
    const keepsAll = days.stems === undefined && days.original === undefined;
    const ends = [
      every(TIDY_MS, "tidying up", () => this.tidyUp(), warn),
      ...(keepsAll ? [] : [every(TIDY_MS, "removing old files of songs", () => this.#purgeFiles(days), warn)]),
    ];
    return () => ends.forEach((end) => end());
  }

  async tidyUp(): Promise<void> {
    const { sql } = this.#ports;
    await this.#tidyFiles().catch(unlessStoreIsAway);
    await purgeTalks(sql, KEPT_TALK_HOURS);
    await forgetOldTries(sql);
    await forgetOldFaults(sql);
    await forgetOldAnswers(sql);
  }

  /** Once after a start. Thousands of files take seconds: no request waits for them. */
  bringUpToDate(): void {
    void this.#learnFixtures().catch(this.#unlessStopping("files of lamps could not be read again"));
    void this.#mendOldSounds().catch(this.#unlessStopping("files of sound could not be mended"));
    void this.#drawOldOutlines().catch(this.#unlessStopping("outlines of songs could not be drawn"));
  }

  async #tidyFiles(): Promise<void> {
    const { sql, files } = this.#ports;
    await files.removeOrphans((ids) => knownSongs(sql, ids));
    await files.removeDead(".tmp-", DEAD_MS);
    await files.removeDeadAside(DEAD_MS);
  }

  async #purgeFiles(days: Parameters<typeof purgeAlone>[1]): Promise<void> {
    const { sql, files, countPurged, info } = this.#ports;
    const purged = await purgeAlone({ sql, files }, days, countPurged).catch(unlessStoreIsAway);
    if (purged && purged.songs > 0) info(describePurged(purged));
  }

  async #learnFixtures(): Promise<void> {
    const { sql, info, warn } = this.#ports;
    const { changed, left } = await readFixturesAgain(sql);
    if (changed > 0) info(`files of ${changed} lamps were read again and say more now`);
    for (const sentence of left) warn(`a lamp's file was read again, and the lamp left as it was: ${sentence}`);
  }

  async #mendOldSounds(): Promise<void> {
    const mended = await mendSounds(this.#ports.files);
    if (mended > 0) this.#ports.info(`${mended} files of sound began 25 ms late and begin on time now`);
  }

  async #drawOldOutlines(): Promise<void> {
    const drawn = await drawOutlines(this.#ports.sql, this.#ports.files);
    if (drawn > 0)
      this.#ports.info(`${drawn} songs that were planned by an earlier version show in lists how they run`);
  }

  #unlessStopping(what: string): (error: Error) => void {
    return ({ message }) => void (this.#ports.isStopping() || this.#ports.warn(`${what}: ${message}`));
  }
}

/** Who watches the store of songs says that it is away. */
function unlessStoreIsAway(error: unknown): undefined {
  if (!(error instanceof BlobError)) throw error;
}
