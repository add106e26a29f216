import { sharedLine } from "../lib/shared-line.ts";
import { LampFeed } from "./lamp-feed.ts";
import { LampsLine, NO_LAMPS } from "./lamps-line.ts";

/** The bytes that lamps get, for all that shows them in this console. */
export const lampFeed = new LampFeed();

const shared = sharedLine(
  "/lights/lamps",
  NO_LAMPS,
  (url, onView) => new LampsLine({ url, onView, onSent: lampFeed.hear }),
);

/** Follows what lamps get, by one line for all that shows it, open as long as something does. */
export const useLamps = shared.use;
