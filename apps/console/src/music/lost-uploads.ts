import { remember, remembered } from "../lib/list-memory.ts";
import { createStore } from "../lib/store.ts";

const KEY = "followspot.uploads";
const storage = () => sessionStorage;

/** Names of the files whose upload was interrupted by a reload. */
export const lostUploads = createStore<readonly string[]>(remembered(KEY, storage));

/** Stores the names of files in progress, to report them after a reload. */
export function keepNames(names: readonly string[]): void {
  remember(KEY, names, storage);
}
