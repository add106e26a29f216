import { serverPath } from "../lib/base-path.ts";

/** ID and key of the link that opened the page. The key is in the URL fragment, which no server or log receives. */
export interface EventLink {
  readonly eventId: string;
  /** Empty without an invitation. */
  readonly invitation: string;
}

/** Reads `/e/ID#invitation=KEY`. */
export function eventLinkOf({ pathname, hash }: Pick<Location, "pathname" | "hash">): EventLink {
  const eventId = decodeURIComponent(/\/e\/([^/]+)/.exec(pathname)?.[1] ?? "");
  return { eventId, invitation: new URLSearchParams(hash.slice(1)).get("invitation") ?? "" };
}

/** Address of the guest's own page for an event. */
export const nightPath = ({ eventId, invitation }: EventLink): string =>
  `${serverPath("/me")}#event=${encodeURIComponent(eventId)}${invitation && `&invitation=${encodeURIComponent(invitation)}`}`;
