import { visualizerStrings } from "../visualizer.strings.ts";
import { stageText, type StageState } from "./stage-link.ts";

const text = visualizerStrings.stage;

interface StageStatusProps {
  readonly stage: StageState;
  /** The song plays at a speed the stage does not know. */
  readonly isHeld: boolean;
  readonly onTakeOver: () => void;
}

/** What the lamps do, and the way to take them from another console. */
export function StageStatus({ stage, isHeld, onTakeOver }: StageStatusProps) {
  const holds = isHeld && stage.kind === "following";
  const isUnheard = stage.kind === "following" && stage.outputs === 0;
  return (
    <>
      <span className={`vz-stage-state vz-stage-${holds || isUnheard ? "ready" : stage.kind}`}>
        {holds ? text.holds : stageText(stage)}
      </span>
      {stage.kind === "busy" && (
        <button type="button" className="vz-button" onClick={onTakeOver}>
          {text.takeOver}
        </button>
      )}
    </>
  );
}
