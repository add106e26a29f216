import {
  lightingPlanSchema,
  rigSchema,
  songAnalysisSchema,
  type LightingPlan,
  type Rig,
  type SongAnalysis,
} from "@followspot/contract";
import { parsRig } from "@followspot/lighting";
import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { z } from "zod";
import { isUnauthenticated } from "../lib/errors.ts";
import { requestJson } from "../lib/http.ts";

const GET_SONG = "/followspot.music.v1.MusicService/GetSong";
/** While the plan is still being written. */
const PLAN_POLL_MS = 5000;
const HEADING_POLL_MS = 1000;

const songSchema = z.object({
  song: z.object({
    title: z.string().default(""),
    artist: z.string().default(""),
    analysisStatus: z.string().default(""),
    lightingStatus: z.string().default(""),
    step: z.string().default(""),
    percent: z.number().default(0),
    errorMessage: z.string().default(""),
  }),
});

/** What the header says about a song. */
export type SongHeading = z.infer<typeof songSchema>["song"];

export const headingKey = (songId: string) => ["visualizer", songId, "heading"];

/** A show is on its way; none comes of an analysis that failed. */
export const isBeingPlanned = (heading: SongHeading | undefined): boolean =>
  heading?.analysisStatus !== "error" &&
  (heading?.lightingStatus === "pending" || heading?.lightingStatus === "processing");

/** Follows the song while its show is planned. */
export function useSongHeading(songId: string) {
  return useQuery<SongHeading>({
    queryKey: headingKey(songId),
    enabled: songId !== "",
    refetchInterval: (query) => (isBeingPlanned(query.state.data) ? HEADING_POLL_MS : false),
    queryFn: async ({ signal }): Promise<SongHeading> => {
      const headers = { "content-type": "application/json", "connect-protocol-version": "1" };
      const body = JSON.stringify({ song_id: songId });
      return songSchema.parse(await requestJson(GET_SONG, { method: "POST", headers, body, signal })).song;
    },
  });
}

export function useSongAnalysis(songId: string) {
  return useQuery({
    queryKey: ["visualizer", songId, "analysis"],
    enabled: songId !== "",
    queryFn: ({ signal }): Promise<SongAnalysis> =>
      readFile(
        `/proxy/songs/${encodeURIComponent(songId)}/hybrid.json`,
        songAnalysisSchema,
        "Failed to load analysis data",
        signal,
      ),
  });
}

export function useLightingPlan(songId: string, isBeingWritten: boolean) {
  return useQuery<LightingPlan>({
    queryKey: ["visualizer", songId, "plan"],
    enabled: songId !== "",
    refetchInterval: (query) => (isBeingWritten && query.state.data === undefined ? PLAN_POLL_MS : false),
    queryFn: ({ signal }) =>
      readFile(
        `/proxy/music/lighting/${encodeURIComponent(songId)}/lighting.json`,
        lightingPlanSchema,
        "Failed to load lighting plan",
        signal,
      ),
  });
}

/** Reads again what somebody else's corrections changed. */
export function refreshShow(cache: QueryClient, songId: string): void {
  for (const part of ["heading", "plan", "analysis"])
    void cache.invalidateQueries({ queryKey: ["visualizer", songId, part] });
}

/** Reads plan, analysis and what corrections start from again when a new plan is ready. */
export function useFreshPlan(songId: string, heading: SongHeading | undefined): void {
  const cache = useQueryClient();
  const wasPlanned = useRef(false);
  const isPlanned = isBeingPlanned(heading);
  useEffect(() => {
    if (wasPlanned.current && !isPlanned) {
      for (const part of ["plan", "analysis", "corrections"])
        void cache.invalidateQueries({ queryKey: ["visualizer", songId, part] });
    }
    wasPlanned.current = isPlanned;
  }, [cache, songId, isPlanned]);
}

/** What the preview is lit on. */
export interface PreviewRig {
  readonly rig: Rig;
  /** No lights are patched, so eight pars stand in. */
  readonly isDemo: boolean;
}

/** Never fails: a console without a rig still shows the show. */
export function useRig() {
  return useQuery({
    queryKey: ["visualizer", "rig"],
    queryFn: async ({ signal }): Promise<PreviewRig> => {
      // Without an answer there is no rig to be wrong about: the demo rig is labelled as one.
      const rig = await requestJson("/api/lights/rig", { signal }).then(rigSchema.safeParse, () => undefined);
      return rig?.success && rig.data.lights.some((light) => light.enabled)
        ? { rig: rig.data, isDemo: false }
        : DEMO_RIG;
    },
  });
}

export const DEMO_RIG: PreviewRig = { rig: parsRig(8), isDemo: true };

/** A missing, unreadable or foreign file is one and the same to a person: it could not be loaded. */
async function readFile<T>(url: string, schema: z.ZodType<T>, failure: string, signal: AbortSignal): Promise<T> {
  try {
    return schema.parse(await requestJson(url, { signal }));
  } catch (cause) {
    if (isUnauthenticated(cause) || signal.aborted) throw cause;
    throw new Error(failure, { cause });
  }
}
