import type { LightingPlan } from "@followspot/contract";
import { useState } from "react";
import type { ChosenCue } from "./change-wishes.ts";
import type { FadeDrawing } from "./fade-tools.tsx";
import { chosenFade, keepFade } from "./fades.ts";
import type { Choice } from "./use-choice.ts";

/** Adds each drawn fade as a locked cue and selects it, so that the user can adjust it. */
export function useFadeDrawing(
  choice: Choice | undefined,
  plan: LightingPlan | undefined,
  onChoose: (cue: ChosenCue) => void,
): FadeDrawing {
  const [isOn, setOn] = useState(false);
  const [problem, setProblem] = useState("");
  return {
    isOn,
    problem,
    toggle: () => setOn(!isOn),
    draw: (fade) => {
      if (!choice || !plan) return;
      const changed = keepFade(choice.steps.present, plan, fade);
      setProblem("problem" in changed ? changed.problem : "");
      if ("problem" in changed) return;
      choice.change(changed.wishes);
      onChoose(chosenFade(fade));
    },
  };
}
