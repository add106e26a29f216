import { createStore } from "../lib/store.ts";

export type Overlay = "palette" | "keys";

/** What stands over the screen, whichever screen it is. */
export const overlay = createStore<Overlay | undefined>(undefined);
