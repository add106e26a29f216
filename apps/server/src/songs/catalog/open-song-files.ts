import { openStore } from "../../platform/blobs/open-store.ts";
import type { Settings } from "../../platform/settings.ts";
import { SongFiles } from "./song-files.ts";

/** Opens the song files at the storage location named in the settings. */
export function openSongFiles(settings: Pick<Settings, "FOLLOWSPOT_DATA_DIR" | "FOLLOWSPOT_BLOBS">): SongFiles {
  const { FOLLOWSPOT_DATA_DIR: dataDir, FOLLOWSPOT_BLOBS: address } = settings;
  return new SongFiles(dataDir, openStore(dataDir, address));
}
