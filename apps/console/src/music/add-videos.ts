import type { VideoHit } from "@followspot/contract/music";
import { askBeforeLeaving } from "../lib/ask-before-leaving.ts";
import { isUnauthenticated, plainErrorText } from "../lib/errors.ts";
import { remember, remembered } from "../lib/list-memory.ts";
import { createStore } from "../lib/store.ts";
import { showLasting, showToast, type LastingToast } from "../ui/toast.tsx";
import { musicStrings } from "./music.strings.ts";

const text = musicStrings.adding;

export type Video = Pick<VideoHit, "ytid" | "url" | "title">;
/** A video that was not added as a song, with the reason. */
export type LeftVideo = Video & { readonly why: string };
/** Creates a song from a link. */
export type AddLink = (url: string) => Promise<unknown>;

export interface AddingRun {
  readonly done: number;
  readonly of: number;
  /** Whether the run ends after the current video. */
  readonly isStopping: boolean;
}

const NONE: AddingRun = { done: 0, of: 0, isStopping: false };
const KEY = "followspot.videos";
const storage = () => sessionStorage;

/** Videos that are being added one after another, on any screen; undefined if there are none. */
export const adding = createStore<AddingRun | undefined>(undefined);

/** Videos that were not added by the last run, because they failed, it was stopped, or the page was closed. */
export const leftVideos = createStore<readonly LeftVideo[]>(remembered(KEY, storage).flatMap(parseLeft));
leftVideos.subscribe(keepLinks);

interface Waiting {
  readonly video: Video;
  readonly add: AddLink;
  readonly end: (failed: string | undefined) => void;
}
let waiting: readonly Waiting[] = [];
let watchers = 0;
let toast: LastingToast | undefined;

/**
 * Adds videos, queued behind the current run, each with a separate result. The run continues when the screen that
 * started it is closed; a toast then shows the progress.
 *
 * @param tell called after each video: added, or the reason why not
 * @returns the videos that were not added
 */
export async function addVideos<Added extends Video>(
  add: AddLink,
  videos: readonly Added[],
  tell: (video: Added, failed: string | undefined) => void = () => undefined,
): Promise<readonly Added[]> {
  const outcomes = videos.map(
    (video) =>
      new Promise<Added | undefined>((resolve) => {
        const end = (failed: string | undefined) => {
          tell(video, failed);
          resolve(failed === undefined ? undefined : video);
        };
        waiting = [...waiting, { video, add, end }];
      }),
  );
  const asked = new Set(videos.map(({ ytid }) => ytid));
  leftVideos.set(leftVideos.get().filter(({ ytid }) => !asked.has(ytid)));
  keepLinks();
  const run = adding.get();
  setRun({ done: run?.done ?? 0, of: (run?.of ?? 0) + videos.length, isStopping: run?.isStopping ?? false });
  if (!run) void work();
  return (await Promise.all(outcomes)).filter((video) => video !== undefined);
}

/** Ends the run after the current video; the others are not added. */
export function stopAdding(): void {
  const run = adding.get();
  if (run) setRun({ ...run, isStopping: true });
}

/** Hides the toast while the run is shown elsewhere. Returns a function that stops this. */
export function watchAdding(): () => void {
  watchers++;
  showProgress();
  return () => {
    watchers--;
    showProgress();
  };
}

async function work(): Promise<void> {
  const endAsking = askBeforeLeaving();
  const left: LeftVideo[] = [];
  for (let next = waiting[0]; next && !adding.get()?.isStopping; next = waiting[0]) {
    const { video, add, end } = next;
    const error = await add(video.url).then(
      () => undefined,
      (thrown: unknown) => thrown ?? new Error(musicStrings.add.failed),
    );
    waiting = waiting.slice(1);
    const failed = error === undefined ? undefined : plainErrorText(error) || musicStrings.add.failed;
    if (failed !== undefined) left.push({ ...linkOf(video), why: failed });
    const { done, of, isStopping } = adding.get() ?? NONE;
    // After sign-out every other video would be refused.
    setRun({ done: done + 1, of, isStopping: isStopping || isUnauthenticated(error) });
    keepLinks();
    end(failed);
  }
  endAsking();
  finish(left);
}

function finish(left: readonly LeftVideo[]): void {
  const { of } = adding.get() ?? NONE;
  const untried = waiting;
  waiting = [];
  setRun(undefined);
  leftVideos.set([
    ...leftVideos.get(),
    ...left,
    ...untried.map(({ video }) => ({ ...linkOf(video), why: text.stoppedBefore })),
  ]);
  for (const { end } of untried) end(text.stoppedBefore);
  const missing = left.length + untried.length;
  if (watchers === 0) showToast(text.over(of - missing, of), { bad: missing > 0 });
}

function setRun(run: AddingRun | undefined): void {
  adding.set(run);
  showProgress();
}

function showProgress(): void {
  const run = adding.get();
  if (run && watchers === 0) {
    const words = run.isStopping ? text.stopping : text.progress(run.done, run.of);
    if (toast) toast.say(words);
    else toast = showLasting(words, { label: text.stop, act: stopAdding });
  } else {
    toast?.end();
    toast = undefined;
  }
}

/** Stores the links of unfinished videos, so that the page can offer them again after a reload. */
function keepLinks(): void {
  const cutOff = waiting.map(({ video }) => ({ ...linkOf(video), why: text.cutOff }));
  remember(
    KEY,
    [...leftVideos.get(), ...cutOff].map((video) => JSON.stringify(video)),
    storage,
  );
}

const linkOf = ({ ytid, url, title }: Video): Video => ({ ytid, url, title });

function parseLeft(kept: string): readonly LeftVideo[] {
  try {
    const { ytid, url, title, why } = JSON.parse(kept) as Readonly<Record<string, unknown>>;
    return [ytid, url, title, why].every((part) => typeof part === "string")
      ? [{ ytid, url, title, why } as LeftVideo] // Each field has been validated.
      : [];
  } catch {
    return [];
  }
}
