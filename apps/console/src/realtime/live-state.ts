import type { LiveState } from "@followspot/contract/event-connection";
import { createStore } from "../lib/store.ts";

/** Whether what the screens show follows the server by itself. */
export const liveState = createStore<LiveState>("reconnecting");
