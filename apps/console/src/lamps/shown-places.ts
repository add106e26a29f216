import { createStore } from "../lib/store.ts";

/** Places that can show the live stage. */
export type StagePlace = "desk" | "lights" | "queue" | "tonight";

const KEY = "followspot.stage.places";

/** User's choice in this browser per place; places without a choice are missing. */
export const shownPlaces = createStore<Readonly<Partial<Record<StagePlace, boolean>>>>(remembered());

export function showAt(place: StagePlace, isShown: boolean): void {
  shownPlaces.set({ ...shownPlaces.get(), [place]: isShown });
  try {
    localStorage.setItem(KEY, JSON.stringify(shownPlaces.get()));
  } catch {
    // private window: the choice lasts as long as the page
  }
}

/** Default without a choice: shown on the desk and on Tonight, if it fits beside the buttons. */
export function suitsUnasked(place: StagePlace): boolean {
  return (place === "desk" || place === "tonight") && matchMedia("(min-width: 768px) and (min-height: 760px)").matches;
}

function remembered(): Partial<Record<StagePlace, boolean>> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return kept !== null && typeof kept === "object" ? kept : {};
  } catch {
    return {};
  }
}
