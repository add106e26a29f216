/** The storage of this browser. Where it may not be used, each call throws; `localStorage` itself would, wherever it is named. */
export const browserStorage: Pick<Storage, "getItem" | "setItem"> = {
  getItem: (key) => localStorage.getItem(key),
  setItem: (key, text) => localStorage.setItem(key, text),
};
