import { createStore } from "../lib/store.ts";

export type Overlay = "palette" | "keys";

/** Overlay that is open above the current screen; undefined for none. */
export const overlay = createStore<Overlay | undefined>(undefined);
