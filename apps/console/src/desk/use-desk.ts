import type { DeskValue } from "@followspot/contract";
import { createStore } from "../lib/store.ts";
import type { DeskHandle } from "./actions.ts";
import { DeskConnection, type DeskView } from "./desk-connection.ts";
import { sharedConnection } from "../lib/shared-connection.ts";
import { TapTempo } from "./tap-tempo.ts";

const CLOSED: DeskView = { connection: "connecting", state: undefined, waiting: new Map(), refusal: undefined };
/** Strobe rate of this console, Hz; 0 follows the beat. */
export const strobeHz = createStore<number>(2);
const taps = new TapTempo();

const shared = sharedConnection("/lights/desk", CLOSED, (url, onView) => new DeskConnection({ url, onView }));

/** State of the desk on this console; all components share one connection, which is open while any uses it. */
export const useDesk = shared.use;

export const press = (control: string, value: DeskValue | null): void => shared.now()?.press(control, value);
export const forgetRefusal = (): void => shared.now()?.forgetRefusal();
export const forgetDropped = (): void => shared.now()?.forgetDropped();

export function tap(): void {
  const bpm = taps.tap(performance.now());
  if (bpm !== undefined) press("tempo", bpm);
}

/** Operations for keys and controllers. */
export const deskHandle: DeskHandle = { press, view: shared.view.get, tap, strobeHz: strobeHz.get };
/** Subscribes to every change. */
export const onDeskChange = shared.view.subscribe;
