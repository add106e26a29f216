/** The downloader of one worker, as it says with its presence. */
export interface DownloaderState {
  /** "" while there is none. */
  readonly version: string;
  /** Where it comes from: the setting, PATH, or fetched by us; "none" while there is none. */
  readonly source: "setting" | "path" | "fetched" | "none";
  /** Why links cannot be downloaded there and what to do, as a sentence; "" when they can. */
  readonly problem: string;
  /** 0..100 while one is being fetched, otherwise null. */
  readonly fetching: number | null;
}

/** A video of the video site as its lists have it. */
export interface FoundVideo {
  /** Eleven characters of [A-Za-z0-9_-]. */
  readonly ytid: string;
  /** One line, at most 300 characters. */
  readonly title: string;
  readonly artist: string;
  /** Whole seconds; 0 when the site does not say. */
  readonly duration: number;
}

/** Request to any one worker. */
export type VideosRequest =
  | { readonly kind: "search"; readonly words: string; readonly limit: number }
  | { readonly kind: "playlist"; readonly id: string; readonly limit: number };

export interface FoundVideos {
  /** Of the playlist; "" for a search. */
  readonly title: string;
  readonly videos: readonly FoundVideo[];
  /** Entries that are private, deleted or no videos. */
  readonly left_out: number;
  /** The playlist goes on behind the limit. */
  readonly is_cut: boolean;
}

export type VideosReply =
  | { readonly kind: "found"; readonly found: FoundVideos }
  /** `retry`: it may go better later. */
  | { readonly kind: "failed"; readonly reason: string; readonly retry: boolean };
