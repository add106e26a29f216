/** Answer of the user about which came first. */
export type Answer = "light" | "sound" | "together";

/** State of a staircase search for the offset at which light and sound coincide. Each reversal halves the step. */
export interface Staircase {
  /** Step of the next change, ms. */
  readonly stepMs: number;
  readonly last: Answer | undefined;
}

const FIRST_STEP_MS = 60;
/** Smallest step, ms. No one perceives a smaller difference. */
export const SMALLEST_STEP_MS = 5;

export const newStaircase = (): Staircase => ({ stepMs: FIRST_STEP_MS, last: undefined });

/** Applies an answer. @returns shift of the light in ms (positive: later), and the next state */
export function answered(stairs: Staircase, answer: Answer): readonly [moveMs: number, next: Staircase] {
  const isTurn = stairs.last !== undefined && stairs.last !== answer;
  const stepMs = answer === "together" || isTurn ? stairs.stepMs / 2 : stairs.stepMs;
  const next = { stepMs, last: answer };
  if (answer === "together" || isFound(next)) return [0, next];
  return [Math.round(answer === "light" ? stepMs : -stepMs), next];
}

/** Whether the search is finished: the remaining error is below perception. */
export const isFound = ({ stepMs }: Staircase): boolean => stepMs < SMALLEST_STEP_MS;
