import { createStore } from "../lib/store.ts";

export type LiveState = "live" | "reconnecting" | "offline";

/** Whether what the screens show follows the server by itself. */
export const liveState = createStore<LiveState>("reconnecting");
