import type { LiveState } from "@followspot/contract/event-line";
import { createStore } from "../lib/store.ts";

/** Whether what the screens show follows the server by itself. */
export const liveState = createStore<LiveState>("reconnecting");
