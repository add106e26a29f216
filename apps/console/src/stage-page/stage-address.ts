import { basePath } from "../lib/base-path.ts";

export interface StageAddress {
  /** Of the screen: an event's id, or "default". */
  readonly id: string;
  readonly key: string;
}

/** What stands behind `/stage/`: the screen, and the key of its link behind the stroke. */
export function addressOf({ pathname, hash }: Pick<Location, "pathname" | "hash">): StageAddress | undefined {
  const id = /^\/stage\/([A-Za-z0-9_-]{1,100})\/?$/.exec(pathname.slice(basePath().length))?.[1];
  const key = /^#([A-Za-z0-9_-]{10,100})$/.exec(hash)?.[1];
  return id && key ? { id, key } : undefined;
}
