import { createStore, type Store } from "./store.ts";

/** A choice that this browser stores. All of its tabs follow it. */
export interface StoredChoice<Value extends string> extends Store<Value> {
  /** Sets and stores the value. In a private window it lasts as long as the page. */
  choose(next: Value): void;
}

/** @param values the possible values @param fallback used while none of them is stored */
export function createStoredChoice<Value extends string>(
  key: string,
  values: readonly Value[],
  fallback: Value,
): StoredChoice<Value> {
  const valueOf = (text: string | null) => values.find((each) => each === text) ?? fallback;
  const store = createStore(valueOf(stored(key)));
  // Sent to the other tabs only, without a key if the storage is cleared. Plain tests run without a window.
  globalThis.addEventListener?.("storage", (event) => {
    if (event.key === key || event.key === null) store.set(valueOf(event.newValue));
  });
  return {
    ...store,
    choose(next) {
      store.set(next);
      try {
        localStorage.setItem(key, next);
      } catch {
        // private window
      }
    },
  };
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
