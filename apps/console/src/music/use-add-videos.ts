import type { VideoHit } from "@followspot/contract/music";
import { useEffect, useRef, useState } from "react";
import { plainErrorText } from "../lib/errors.ts";
import { useAddSong } from "./music.queries.ts";
import { musicStrings } from "./music.strings.ts";

export interface Adding {
  /** By video id: added, or why not. */
  readonly outcomes: ReadonlyMap<string, { readonly failed?: string }>;
  /** How many of those under way are through; undefined when none is. */
  readonly progress: { readonly done: number; readonly of: number } | undefined;
  /** Adds one after the other. @returns those that were not added */
  add(videos: readonly VideoHit[]): Promise<readonly VideoHit[]>;
  forget(): void;
}

/** Adds many videos, each with an outcome of its own. Leaving ends it after the one at work. */
export function useAddVideos(): Adding {
  const { mutateAsync } = useAddSong();
  const [outcomes, setOutcomes] = useState<Adding["outcomes"]>(new Map());
  const [progress, setProgress] = useState<Adding["progress"]>();
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => void (isGone.current = true);
  }, []);
  const add: Adding["add"] = async (videos) => {
    const left: VideoHit[] = [];
    for (const [done, video] of videos.entries()) {
      if (isGone.current) return videos.slice(done);
      setProgress({ done, of: videos.length });
      const failed = await mutateAsync({ url: video.url }).then(
        () => undefined,
        (error: unknown) => plainErrorText(error) || musicStrings.add.failed,
      );
      if (failed !== undefined) left.push(video);
      setOutcomes((known) => new Map(known).set(video.ytid, failed === undefined ? {} : { failed }));
    }
    setProgress(undefined);
    return left;
  };
  return { outcomes, progress, add, forget: () => setOutcomes(new Map()) };
}
