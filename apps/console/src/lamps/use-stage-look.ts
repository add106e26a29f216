import { useCallback, useState } from "react";
import { useStore } from "../lib/store.ts";
import { chooseStageLook, drawingHere, stageLook, type StageLook } from "../stage-3d/stage-look.ts";

/** How stages are shown here and now: what was chosen, as far as the browser can draw it. */
export function useStageLook() {
  const chosen = useStore(stageLook);
  const [isLost, setLost] = useState(false);
  const lose = useCallback(() => setLost(true), []);
  const { isPossible, isFast } = drawingHere();
  const canDraw = isPossible && !isLost;
  const look: StageLook = canDraw ? (chosen ?? (isFast ? "3d" : "flat")) : "flat";
  return {
    look,
    /** There is something to choose. */
    isPossible,
    /** 3D was chosen, and this browser cannot draw it. */
    isMissing: chosen === "3d" && !canDraw,
    choose: (next: StageLook) => {
      setLost(false);
      chooseStageLook(next);
    },
    lose,
  };
}
