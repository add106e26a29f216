import { createStore } from "../lib/store.ts";
import { newKey } from "../lib/new-key.ts";
import { playerStrings } from "./player.strings.ts";

/** Settings stored on the machine with the PA. */
export interface Machine {
  readonly id: string;
  readonly name: string;
  /** ID of the audio output; empty for the system default. */
  readonly outputId: string;
  readonly delayMs: number;
  /** Whether the delay was measured or set by the user; otherwise it is an assumption. */
  readonly isDelaySet: boolean;
}

const KEY = "followspot.player";
export const MOST_DELAY_MS = 1000;

export const machine = createStore<Machine>(remembered());

export function changeMachine(change: Partial<Machine>): void {
  machine.set({ ...machine.get(), ...change });
  try {
    localStorage.setItem(KEY, JSON.stringify(machine.get()));
  } catch {
    // private window: it lasts as long as the page
  }
}

function remembered(): Machine {
  const fresh = { id: newKey(), name: playerStrings.defaultName, outputId: "", delayMs: 0, isDelaySet: false };
  try {
    const kept = { ...fresh, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Machine>) };
    localStorage.setItem(KEY, JSON.stringify(kept));
    return kept;
  } catch {
    return fresh;
  }
}
