import type { LiveState } from "@followspot/contract/event-connection";
import { createStore } from "../lib/store.ts";

/** Whether the screens receive live updates from the server. */
export const liveState = createStore<LiveState>("reconnecting");
