import { useCallback, useState } from "react";
import { useStore } from "../lib/store.ts";
import { chooseStageLook, drawingHere, stageLook, type StageLook } from "../stage-3d/stage-look.ts";

/** Returns how stages are drawn here: the user's choice, as far as the browser supports it. */
export function useStageLook() {
  const chosen = useStore(stageLook);
  const [isLost, setLost] = useState(false);
  const lose = useCallback(() => setLost(true), []);
  const { isPossible, isFast } = drawingHere();
  const canDraw = isPossible && !isLost;
  const look: StageLook = canDraw ? (chosen ?? (isFast ? "3d" : "flat")) : "flat";
  return {
    look,
    /** Whether there is a choice. */
    isPossible,
    /** Whether 3D is selected, but not supported by this browser. */
    isMissing: chosen === "3d" && !canDraw,
    choose: (next: StageLook) => {
      setLost(false);
      chooseStageLook(next);
    },
    lose,
  };
}
