import type { GetFirstStepsResponse } from "@followspot/contract/firststeps";

/** How much room the first steps take: none, one line, or a card beside what needs attention. */
export type FirstStepsForm = "none" | "line" | "card";

/** A line once most steps are done, and while there is a demo night: then people look around, and the night itself goes first. */
export function firstStepsForm(answer: GetFirstStepsResponse | undefined): FirstStepsForm {
  if (!answer) return "none";
  const { steps, isHidden, demoNight } = answer;
  const done = steps.filter(({ isDone }) => isDone).length;
  const hasSteps = !isHidden && done < steps.length;
  const hasDemo = demoNight !== undefined && demoNight.state !== "none";
  if (hasDemo) return "line";
  if (!hasSteps) return "none";
  return done > steps.length / 2 ? "line" : "card";
}
