/** The answer of a person who looks and listens. */
export type Answer = "light" | "sound" | "together";

/** A search for the offset at which nothing comes first. Every turn halves the step. */
export interface Staircase {
  /** ms by which the next answer moves the light. */
  readonly stepMs: number;
  readonly last: Answer | undefined;
}

const FIRST_STEP_MS = 60;
/** No person tells a smaller gap. */
export const SMALLEST_STEP_MS = 5;

export const newStaircase = (): Staircase => ({ stepMs: FIRST_STEP_MS, last: undefined });

/** @returns by how many ms light should come later (below 0: earlier), and how the search goes on */
export function answered(stairs: Staircase, answer: Answer): readonly [moveMs: number, next: Staircase] {
  const isTurn = stairs.last !== undefined && stairs.last !== answer;
  const stepMs = answer === "together" || isTurn ? stairs.stepMs / 2 : stairs.stepMs;
  const next = { stepMs, last: answer };
  if (answer === "together" || isFound(next)) return [0, next];
  return [Math.round(answer === "light" ? stepMs : -stepMs), next];
}

/** The offset is as good as eyes and ears are. */
export const isFound = ({ stepMs }: Staircase): boolean => stepMs < SMALLEST_STEP_MS;
