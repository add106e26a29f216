import { MusicService, type VideoHit } from "@followspot/contract/music";
import { useEffect, useRef, useState } from "react";
import { useChange } from "../lib/list-refresh.ts";
import { useStore } from "../lib/store.ts";
import { addVideos, adding, stopAdding, watchAdding, type AddingRun, type AddLink } from "./add-videos.ts";
import { SONGS } from "./music.queries.ts";

export interface Adding {
  /** Results by video ID: added, or the reason why not. */
  readonly outcomes: ReadonlyMap<string, { readonly failed?: string }>;
  /** Progress of the videos that this component added; undefined if none is in progress. */
  readonly progress: AddingRun | undefined;
  /**
   * Adds videos one after another, also after the component unmounts. @returns those that were not added; undefined if
   * the component was unmounted
   */
  add(videos: readonly VideoHit[]): Promise<readonly VideoHit[] | undefined>;
  stop(): void;
  forget(): void;
}

/** Adds many videos, each with a separate result. */
export function useAddVideos(): Adding {
  const addLink = useAddLink();
  const run = useStore(adding);
  const [outcomes, setOutcomes] = useState<Adding["outcomes"]>(new Map());
  const [isMine, setMine] = useState(false);
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    const endWatching = watchAdding();
    return () => {
      isLeft.current = true;
      endWatching();
    };
  }, []);
  const add: Adding["add"] = async (videos) => {
    setMine(true);
    const left = await addVideos(addLink, videos, ({ ytid }, failed) =>
      setOutcomes((known) => new Map(known).set(ytid, failed === undefined ? {} : { failed })),
    );
    if (isLeft.current) return undefined;
    setMine(false);
    return left;
  };
  return {
    outcomes,
    progress: isMine ? run : undefined,
    add,
    stop: stopAdding,
    forget: () => setOutcomes(new Map()),
  };
}

/** Creates a song from a link and refetches the lists of songs. */
export function useAddLink(): AddLink {
  const change = useChange(SONGS);
  return (url) => change(MusicService.method.addSongFromYoutube, { url });
}
