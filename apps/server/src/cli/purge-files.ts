import {
  describePurged,
  findOldFiles,
  purgeOldFiles,
  type KeptDays,
  type OldFiles,
} from "../songs/library/old-files.ts";
import { SongFiles } from "../songs/catalog/song-files.ts";
import { requireApart } from "../platform/database/communities.ts";
import { openDatabase } from "../platform/database/database.ts";
import { settingsOrExit } from "../platform/settings.ts";
import { storeOf } from "./store-of.ts";
import { whereItRuns } from "./where-it-runs.ts";

export interface PurgeVerb {
  /** Days that override the settings. */
  readonly given: Partial<KeptDays>;
  /** Whether to list files without deleting them. */
  readonly isDry: boolean;
}

/** Runs `purge-files …`. @param print prints a line per song, then the sum @returns the exit code */
export async function purgeFilesVerb({ given, isDry }: PurgeVerb, print: (line: string) => void): Promise<number> {
  const settings = settingsOrExit();
  const days: KeptDays = {
    stems: settings.FOLLOWSPOT_KEEP_STEMS_DAYS,
    original: settings.FOLLOWSPOT_KEEP_ORIGINALS_DAYS,
    ...given,
  };
  if (days.stems === undefined && days.original === undefined)
    throw new Error(
      "All files are kept. Say for how many days with --stems-days N, --originals-days N, or the settings.",
    );
  const place = await whereItRuns();
  const sql = openDatabase(place.database, 1, settings.FOLLOWSPOT_DATA_DIR);
  try {
    await requireApart(sql);
    const files = new SongFiles(settings.FOLLOWSPOT_DATA_DIR, storeOf(place, settings.FOLLOWSPOT_DATA_DIR));
    if (!isDry) {
      const purged = await purgeOldFiles({ sql, files }, days, (old) => print(describe(old)));
      print(`${describePurged(purged)}.`);
      if (purged.isCutShort) print("A backup is being taken. Run this again for the rest.");
      return purged.isCutShort ? 2 : 0;
    }
    let [count, bytes] = [0, 0];
    for await (const old of findOldFiles({ sql, files }, days)) {
      if (old.names.length === 0) continue;
      print(describe(old));
      if (old.isNeeded) continue;
      count += old.names.length;
      bytes += old.bytes;
    }
    print(`${count} files (${(bytes / 1e6).toFixed(1)} MB) would be removed. Nothing was.`);
    return 0;
  } finally {
    await sql.end({ timeout: 2 });
  }
}

function describe({ song, names, bytes, isNeeded }: OldFiles): string {
  const title = song.artist ? `${song.artist} - ${song.title}` : song.title;
  const what = `${song.id}  ${names.join(", ")} (${(bytes / 1e6).toFixed(1)} MB)  ${title}`;
  return isNeeded ? `${what}: stays, because audio.mp3 is missing or not whole` : what;
}
