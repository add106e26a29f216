import { remember, remembered } from "../lib/list-memory.ts";
import { createStore } from "../lib/store.ts";

const KEY = "followspot.uploads";
const storage = () => sessionStorage;

/** Names of the files that were being sent when the page was loaded again. */
export const lostUploads = createStore<readonly string[]>(remembered(KEY, storage));

/** Keeps the names of what is on its way, for the page that comes after this one. */
export function keepNames(names: readonly string[]): void {
  remember(KEY, names, storage);
}
