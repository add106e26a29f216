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

/** How often the song is asked for while its show is planned and the events socket is away. */
const POLL_MS = 1000;
const { getSong } = MusicService.method;

/** What the header says about a song. */
export type SongHeading = Pick<
  Song,
  "title" | "artist" | "audio" | "analysisStatus" | "lightingStatus" | "step" | "percent" | "errorMessage"
>;

/** A show is on its way; none comes of an analysis that failed. */
export const isBeingPlanned = (heading: SongHeading | undefined): boolean =>
  heading?.analysisStatus !== "error" &&
  (heading?.lightingStatus === "pending" || heading?.lightingStatus === "processing");

/** Follows the song: by the events socket, or by asking while that is away and a show is planned. */
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

/** Changes what the cache knows of a song, ahead of the next reading. */
export function patchSong(cache: QueryClient, songId: string, change: (song: Song) => Song): void {
  const queryKey = createConnectQueryKey({ schema: getSong, input: { songId }, cardinality: "finite" });
  cache.setQueriesData<GetSongResponse>(
    { queryKey },
    (answer) => answer && (answer.song ? { ...answer, song: change(answer.song) } : answer),
  );
}

type Part = "analysis" | "plan" | "corrections" | "wishes" | "revisions";
/** All that a new plan or a restored one may have changed. */
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

/** Reads again what a new analysis, a new plan or another person's corrections changed. */
export function refreshShow(cache: QueryClient, songId: string, parts: readonly Part[] = OF_SHOW): void {
  for (const part of parts) void cache.invalidateQueries({ queryKey: partKey(songId, part) });
}

/** Reads plan, analysis and what corrections start from again when a new plan is ready. */
export function useFreshPlan(songId: string, heading: SongHeading | undefined): void {
  const cache = useQueryClient();
  const wasPlanned = useRef(false);
  const isPlanned = isBeingPlanned(heading);
  useEffect(() => {
    if (wasPlanned.current && !isPlanned) refreshShow(cache, songId);
    wasPlanned.current = isPlanned;
  }, [cache, songId, isPlanned]);
}

/** What the preview is lit on. */
export interface PreviewRig {
  readonly rig: Rig;
  /** Why eight pars stand in for the lights of the venue; undefined where those are known. */
  readonly standsIn?: "reading" | "unpatched" | "unread";
}

/** Never fails: a console without a rig still shows the show. */
export function useRig() {
  return useQuery({
    queryKey: RIG_KEY,
    // Without an answer there is no rig to be wrong about: the demo rig is labelled as one.
    queryFn: ({ signal }): Promise<PreviewRig> =>
      readRig(signal).then(
        (rig) => (rig.lights.some(({ enabled }) => enabled) ? { rig } : { ...READING_RIG, standsIn: "unpatched" }),
        () => ({ ...READING_RIG, standsIn: "unread" }),
      ),
  });
}

/** What the preview is lit on until the lights are read. */
export const READING_RIG: PreviewRig = { rig: parsRig(8), standsIn: "reading" };
