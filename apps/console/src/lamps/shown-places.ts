import { createStore } from "../lib/store.ts";

/** Where a console can show the stage as its lamps are lit. */
export type StagePlace = "desk" | "lights" | "queue" | "tonight";

const KEY = "followspot.stage.places";

/** Where this browser shows it, as its user chose; places without a choice are missing. */
export const shownPlaces = createStore<Readonly<Partial<Record<StagePlace, boolean>>>>(remembered());

export function showAt(place: StagePlace, isShown: boolean): void {
  shownPlaces.set({ ...shownPlaces.get(), [place]: isShown });
  try {
    localStorage.setItem(KEY, JSON.stringify(shownPlaces.get()));
  } catch {
    // private window: the choice lasts as long as the page
  }
}

/** Without a choice: shown at the desk and for the night, where there is room for it beside the buttons. */
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
