import { sharedConnection } from "../lib/shared-connection.ts";
import { LampFeed } from "./lamp-feed.ts";
import { useStore } from "../lib/store.ts";
import { liveState } from "../realtime/live-state.ts";
import { LampsConnection, NO_LAMPS, type LampsView } from "./lamps-connection.ts";

/** The bytes that lamps get, for all that shows them in this console. */
export const lampFeed = new LampFeed();

const shared = sharedConnection(
  "/lights/lamps",
  NO_LAMPS,
  (url, onView) => new LampsConnection({ url, onView, onSent: lampFeed.hear }),
);

/** What a screen says of the connection: it is "away" while the whole server is, and "lost" while the stage alone is. */
export type LampsSeen = Omit<LampsView, "connection"> & { readonly connection: LampsView["connection"] | "away" };

/** Follows what lamps get, over one connection for all that shows it, open as long as something does. */
export function useLamps(): LampsSeen {
  const view = shared.use();
  const server = useStore(liveState);
  return view.connection === "lost" && server !== "live" ? { ...view, connection: "away" } : view;
}
