import type { DeskValue } from "@followspot/contract";
import { createStore } from "../lib/store.ts";
import type { DeskHandle } from "./actions.ts";
import { DeskConnection, type DeskView } from "./desk-connection.ts";
import { sharedConnection } from "../lib/shared-connection.ts";
import { TapTempo } from "./tap-tempo.ts";

const CLOSED: DeskView = { connection: "connecting", state: undefined, waiting: new Map(), refusal: undefined };
/** Flashes a second the strobe of this console is pressed with; 0 is the beat. */
export const strobeHz = createStore<number>(2);
const taps = new TapTempo();

const shared = sharedConnection("/lights/desk", CLOSED, (url, onView) => new DeskConnection({ url, onView }));

/** The desk of this console: one connection for all that shows it, open as long as something does. */
export const useDesk = shared.use;

export const press = (control: string, value: DeskValue | null): void => shared.now()?.press(control, value);
export const forgetRefusal = (): void => shared.now()?.forgetRefusal();
export const forgetDropped = (): void => shared.now()?.forgetDropped();

export function tap(): void {
  const bpm = taps.tap(performance.now());
  if (bpm !== undefined) press("tempo", bpm);
}

/** For keys and controllers. */
export const deskHandle: DeskHandle = { press, view: shared.view.get, tap, strobeHz: strobeHz.get };
/** Tells of every change. */
export const onDeskChange = shared.view.subscribe;
