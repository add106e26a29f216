import { rigSchema, type Rig } from "@followspot/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { requestJson } from "../lib/http.ts";
import { listen } from "../realtime/listeners.ts";

const RIG_KEY = ["rig"];

/** Reads all patched fixtures with their modes and poses, as the stage has them; refetched when one of them changes. */
export function useStageRig() {
  const cache = useQueryClient();
  useEffect(() => listen("lights", () => void cache.invalidateQueries({ queryKey: RIG_KEY })), [cache]);
  return useQuery({ queryKey: RIG_KEY, queryFn: ({ signal }) => readRig(signal) });
}

/** @throws the refusal, or the reason why it cannot be read */
export async function readRig(signal: AbortSignal): Promise<Rig> {
  return rigSchema.parse(await requestJson("/api/lights/rig", { signal }));
}
