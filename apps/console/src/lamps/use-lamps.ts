import { sharedConnection } from "../lib/shared-connection.ts";
import { LampFeed } from "./lamp-feed.ts";
import { useStore } from "../lib/store.ts";
import { liveState } from "../realtime/live-state.ts";
import { LampsConnection, NO_LAMPS, type LampsView } from "./lamps-connection.ts";

/** DMX values of the fixtures, shared by all components of this console. */
export const lampFeed = new LampFeed();

const shared = sharedConnection(
  "/lights/lamps",
  NO_LAMPS,
  (url, onView) => new LampsConnection({ url, onView, onSent: lampFeed.hear }),
);

/** State of the connection for screens: "away" if the whole server is unreachable, "lost" if only the stage is. */
export type LampsSeen = Omit<LampsView, "connection"> & { readonly connection: LampsView["connection"] | "away" };

/** Tracks the DMX values. All components share one connection, which is open while any uses it. */
export function useLamps(): LampsSeen {
  const view = shared.use();
  const server = useStore(liveState);
  return view.connection === "lost" && server !== "live" ? { ...view, connection: "away" } : view;
}
