import { createConnectQueryKey, useQuery as useCall } from "@connectrpc/connect-query";
import { lightingPlanSchema, songAnalysisSchema, type Rig } from "@followspot/contract";
import { MusicService, type GetSongResponse, type Song } from "@followspot/contract/music";
import { parsRig } from "@followspot/lighting";
import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { readRig } from "../lamps/rig.queries.ts";
import { readFile } from "../lib/read-file.ts";
import { useStore } from "../lib/store.ts";
import { liveState } from "../realtime/live-state.ts";
import { visualizerStrings as text } from "./visualizer.strings.ts";

/** Interval between requests for the song while its show is planned and the events socket is disconnected, ms. */
const POLL_MS = 1000;
const { getSong } = MusicService.method;

/** The fields of a song that the header uses. */
export type SongHeading = Pick<
  Song,
  "title" | "artist" | "audio" | "analysisStatus" | "lightingStatus" | "step" | "percent" | "errorMessage"
>;

/** Whether a show is being planned or queued; false after a failed analysis, because no show will follow. */
export const isBeingPlanned = (heading: SongHeading | undefined): boolean =>
  heading?.analysisStatus !== "error" &&
  (heading?.lightingStatus === "pending" || heading?.lightingStatus === "processing");

/** Tracks the song through the events socket, or by polling while that is disconnected and a show is planned. */
export function useSongHeading(songId: string) {
  const live = useStore(liveState);
  return useCall(
    getSong,
    { songId },
    {
      enabled: songId !== "",
      select: ({ song }): SongHeading | undefined => song,
      refetchInterval: ({ state }) => (live !== "live" && isBeingPlanned(state.data?.song) ? POLL_MS : false),
    },
  );
}

/** Changes the song in the cache, ahead of the next response. */
export function patchSong(cache: QueryClient, songId: string, change: (song: Song) => Song): void {
  const queryKey = createConnectQueryKey({ schema: getSong, input: { songId }, cardinality: "finite" });
  cache.setQueriesData<GetSongResponse>(
    { queryKey },
    (answer) => answer && (answer.song ? { ...answer, song: change(answer.song) } : answer),
  );
}

type Part = "analysis" | "plan" | "corrections" | "wishes" | "revisions";
/** Everything that a new or restored plan may change. */
const OF_SHOW = ["plan", "analysis", "corrections", "wishes", "revisions"] as const;
export const partKey = (songId: string, part: Part) => ["visualizer", songId, part];
export const RIG_KEY = ["visualizer", "rig"];

export function useSongAnalysis(songId: string) {
  return useQuery({
    queryKey: partKey(songId, "analysis"),
    enabled: songId !== "",
    queryFn: ({ signal }) =>
      readFile(`/proxy/songs/${encodeURIComponent(songId)}/hybrid.json`, songAnalysisSchema, text.noAnalysis, signal),
  });
}

export function useLightingPlan(songId: string) {
  return useQuery({
    queryKey: partKey(songId, "plan"),
    enabled: songId !== "",
    queryFn: ({ signal }) =>
      readFile(
        `/proxy/music/lighting/${encodeURIComponent(songId)}/lighting.json`,
        lightingPlanSchema,
        text.noPlan,
        signal,
      ),
  });
}

/** Refetches the data that a new analysis, a new plan or another user's corrections changed. */
export function refreshShow(cache: QueryClient, songId: string, parts: readonly Part[] = OF_SHOW): void {
  for (const part of parts) void cache.invalidateQueries({ queryKey: partKey(songId, part) });
}

/** Refetches plan, analysis and the base of the corrections when a new plan is ready. */
export function useFreshPlan(songId: string, heading: SongHeading | undefined): void {
  const cache = useQueryClient();
  const wasPlanned = useRef(false);
  const isPlanned = isBeingPlanned(heading);
  useEffect(() => {
    if (wasPlanned.current && !isPlanned) refreshShow(cache, songId);
    wasPlanned.current = isPlanned;
  }, [cache, songId, isPlanned]);
}

/** Rig of the preview. */
export interface PreviewRig {
  readonly rig: Rig;
  /** Reason why eight pars replace the venue's lights; undefined if the lights were loaded. */
  readonly standsIn?: "reading" | "unpatched" | "unread";
}

/** Loads the rig of the preview. Never fails, so that the console shows the show without a rig, too. */
export function useRig() {
  return useQuery({
    queryKey: RIG_KEY,
    // A failed request falls back to the demo rig, which is labeled as one.
    queryFn: ({ signal }): Promise<PreviewRig> =>
      readRig(signal).then(
        (rig) => (rig.lights.some(({ enabled }) => enabled) ? { rig } : { ...READING_RIG, standsIn: "unpatched" }),
        () => ({ ...READING_RIG, standsIn: "unread" }),
      ),
  });
}

/** Rig of the preview until the lights are loaded. */
export const READING_RIG: PreviewRig = { rig: parsRig(8), standsIn: "reading" };
