/**
 * `localStorage`, read at each call. If storage is blocked, each call throws; the bare name `localStorage` would throw
 * at import.
 */
export const browserStorage: Pick<Storage, "getItem" | "setItem"> = {
  getItem: (key) => localStorage.getItem(key),
  setItem: (key, text) => localStorage.setItem(key, text),
};
