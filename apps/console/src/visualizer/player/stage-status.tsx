import { visualizerStrings } from "../visualizer.strings.ts";
import { stageText, type StageState } from "./stage-link.ts";
import { cx } from "../../ui/class-names.ts";
import { buttonLook } from "../look.ts";

const text = visualizerStrings.stage;

const TROUBLE = "text-warn before:bg-warn";
const LOOKS: Readonly<Record<StageState["kind"], string>> = {
  offline: "text-muted before:bg-(--vz-other)",
  ready: "text-muted before:bg-(--vz-wave)",
  following: "text-fg before:bg-ok",
  busy: TROUBLE,
  refused: TROUBLE,
};

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
  const [state, ...rest] = (holds ? text.holds : stageText(stage)).split(" · ");
  return (
    <>
      <span
        className={cx(
          "flex items-center gap-[7px] before:size-2 before:shrink-0 before:rounded-full before:content-['']",
          LOOKS[holds || isUnheard ? "ready" : stage.kind],
        )}
      >
        <span className="flex flex-wrap gap-x-1.5">
          <span className={cx(rest.length > 0 && "whitespace-nowrap")}>{state}</span>
          {rest.length > 0 && <span className="whitespace-nowrap text-muted tabular-nums">{rest.join(" · ")}</span>}
        </span>
      </span>
      {stage.kind === "busy" && (
        <button type="button" className={buttonLook()} onClick={onTakeOver}>
          {text.takeOver}
        </button>
      )}
    </>
  );
}
