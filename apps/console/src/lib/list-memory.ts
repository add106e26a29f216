/**
 * Reads a list of strings from the browser's storage; empty if the browser stores nothing, as in some private windows.
 */
export function remembered(key: string, storage: () => Storage = () => localStorage): readonly string[] {
  try {
    const kept: unknown = JSON.parse(storage().getItem(key) ?? "[]");
    return Array.isArray(kept) ? kept.filter((word) => typeof word === "string") : [];
  } catch {
    return [];
  }
}

export function remember(key: string, words: readonly string[], storage: () => Storage = () => localStorage): void {
  try {
    if (words.length > 0) storage().setItem(key, JSON.stringify(words));
    else storage().removeItem(key);
  } catch {
    // Without storage, the choice lasts as long as the page.
  }
}
