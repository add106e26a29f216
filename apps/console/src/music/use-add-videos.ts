import { MusicService, type VideoHit } from "@followspot/contract/music";
import { useEffect, useRef, useState } from "react";
import { useChange } from "../lib/list-refresh.ts";
import { useStore } from "../lib/store.ts";
import { addVideos, adding, stopAdding, watchAdding, type AddingRun, type AddLink } from "./add-videos.ts";
import { SONGS } from "./music.queries.ts";

export interface Adding {
  /** By video id: added, or why not. */
  readonly outcomes: ReadonlyMap<string, { readonly failed?: string }>;
  /** How far those are that were asked for here; undefined while none are under way. */
  readonly progress: AddingRun | undefined;
  /** Adds one after the other, also when this is left. @returns those that were not added; undefined when this was left */
  add(videos: readonly VideoHit[]): Promise<readonly VideoHit[] | undefined>;
  stop(): void;
  forget(): void;
}

/** Adds many videos, each with an outcome of its own. */
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

/** Makes a song of a link, and has the lists of songs read again. */
export function useAddLink(): AddLink {
  const change = useChange(SONGS);
  return (url) => change(MusicService.method.addSongFromYoutube, { url });
}
