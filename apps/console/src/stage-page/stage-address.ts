import { basePath } from "../lib/base-path.ts";

export interface StageAddress {
  /** ID of the screen: an event ID, or "default". */
  readonly id: string;
  readonly key: string;
}

/** Parses the URL of a stage screen: its ID follows `/stage/`, the key of its link is in the fragment. */
export function addressOf({ pathname, hash }: Pick<Location, "pathname" | "hash">): StageAddress | undefined {
  const id = /^\/stage\/([A-Za-z0-9_-]{1,100})\/?$/.exec(pathname.slice(basePath().length))?.[1];
  const key = /^#([A-Za-z0-9_-]{10,100})$/.exec(hash)?.[1];
  return id && key ? { id, key } : undefined;
}
