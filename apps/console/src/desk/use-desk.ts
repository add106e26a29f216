import { useEffect, useSyncExternalStore } from "react";
import type { DeskValue } from "@followspot/contract";
import { createStore } from "../lib/store.ts";
import type { DeskHandle } from "./actions.ts";
import { DeskLine, type DeskView } from "./desk-line.ts";
import { TapTempo } from "./tap-tempo.ts";

const CLOSED: DeskView = { line: "connecting", state: undefined, waiting: new Map(), refusal: undefined };
/** Closed a little later, so that going from screen to screen keeps the line. */
const LINGER_MS = 2000;

const view = createStore<DeskView>(CLOSED);
/** Flashes a second the strobe of this console is pressed with; 0 is the beat. */
export const strobeHz = createStore<number>(2);
const taps = new TapTempo();
let line: DeskLine | undefined;
let users = 0;
let closing: ReturnType<typeof setTimeout> | undefined;

const openNow = () => line?.openNow();

function enter(): () => void {
  users++;
  clearTimeout(closing);
  // One that was ended belonged to a session that is over.
  if (!line || view.get().line === "ended") {
    line?.close();
    const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/lights/desk`;
    line = new DeskLine({ url, onView: view.set });
    window.addEventListener("online", openNow);
  }
  return () => {
    users--;
    if (users > 0) return;
    closing = setTimeout(() => {
      line?.close();
      line = undefined;
      window.removeEventListener("online", openNow);
      view.set(CLOSED);
    }, LINGER_MS);
  };
}

/** The desk of this console: one line for all that shows it, open as long as something does. */
export function useDesk(): DeskView {
  useEffect(enter, []);
  return useSyncExternalStore(view.subscribe, view.get);
}

export const press = (control: string, value: DeskValue | null): void => line?.press(control, value);
export const forgetWaiting = (): void => line?.forgetWaiting();
export const forgetRefusal = (): void => line?.forgetRefusal();

export function tap(): void {
  const bpm = taps.tap(performance.now());
  if (bpm !== undefined) press("tempo", bpm);
}

/** For keys and controllers. */
export const deskHandle: DeskHandle = { press, view: view.get, tap, strobeHz: strobeHz.get };
/** Tells of every change. */
export const onDeskChange = view.subscribe;
