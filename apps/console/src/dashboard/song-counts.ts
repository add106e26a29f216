import type { Song } from "@followspot/contract/music";

/** Both statuses ready, either at work, either in error. */
export function countSongs(songs: readonly Pick<Song, "analysisStatus" | "lightingStatus">[]) {
  const counts = { ready: 0, processing: 0, error: 0 };
  for (const { analysisStatus, lightingStatus } of songs) {
    if (analysisStatus === "ready" && lightingStatus === "ready") counts.ready += 1;
    if (analysisStatus === "processing" || lightingStatus === "processing") counts.processing += 1;
    if (analysisStatus === "error" || lightingStatus === "error") counts.error += 1;
  }
  return counts;
}
