import type { Song } from "@followspot/contract/music";
import type { Tone } from "../ui/status.tsx";
import type { SongFilter } from "./music-search.ts";

export type SongBadge = "Error" | "Ready" | "Lighting..." | "Analyzing..." | "Downloading...";

type Statuses = Pick<Song, "analysisStatus" | "lightingStatus">;

/** Returns one label for the two statuses of a song, by the first matching rule. */
export function songBadge({ analysisStatus, lightingStatus }: Statuses): SongBadge {
  if (analysisStatus === "error" || lightingStatus === "error") return "Error";
  if (analysisStatus === "ready" && lightingStatus === "ready") return "Ready";
  if (lightingStatus === "processing") return "Lighting...";
  if (analysisStatus === "processing") return "Analyzing...";
  if (analysisStatus === "pending" || lightingStatus === "pending") return "Downloading...";
  return "Ready";
}

export const BADGE_TONES: Record<SongBadge, Tone> = {
  Error: "bad",
  Ready: "ok",
  "Lighting...": "busy",
  "Analyzing...": "busy",
  "Downloading...": "wait",
};

/** Returns the status tab of a song. */
export function songFilter(song: Statuses): SongFilter {
  return FILTERS[songBadge(song)];
}

/** Whether a song is being downloaded, analyzed or planned, or is queued for one of these steps. */
export function isOnItsWay(song: Statuses): boolean {
  const filter = songFilter(song);
  return filter === "processing" || filter === "downloading";
}

const FILTERS: Record<SongBadge, SongFilter> = {
  Error: "error",
  Ready: "ready",
  "Lighting...": "processing",
  "Analyzing...": "processing",
  "Downloading...": "downloading",
};
