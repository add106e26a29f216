import { visualizerStrings } from "../visualizer.strings.ts";
import { stageText, type StageState } from "./stage-link.ts";
import { cx } from "../../ui/class-names.ts";
import { buttonLook, MUTED } from "../look.ts";

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
  readonly onTakeOver: () => void;
}

const isUnheard = (stage: StageState): boolean => stage.kind === "following" && stage.outputs === 0;

/** Whether the status is longer than a few words and needs its own row. */
export const needsARow = (stage: StageState): boolean =>
  stage.kind === "busy" || stage.kind === "refused" || isUnheard(stage);

/** Status of the fixtures, their holder, and a button to take them over with its consequence. */
export function StageStatus({ stage, onTakeOver }: StageStatusProps) {
  const [state, ...rest] = stageText(stage).split(" · ");
  return (
    <>
      <span
        className={cx(
          "flex items-center gap-[7px] before:size-2 before:shrink-0 before:rounded-full before:content-['']",
          isUnheard(stage) ? TROUBLE : LOOKS[stage.kind],
        )}
      >
        <span className="flex flex-wrap gap-x-1.5">
          <span className={cx(rest.length > 0 && "whitespace-nowrap")}>{state}</span>
          {rest.length > 0 && <span className="whitespace-nowrap text-muted tabular-nums">{rest.join(" · ")}</span>}
        </span>
      </span>
      {stage.kind === "busy" && (
        <>
          <span className={MUTED}>{text.ends[stage.holder?.kind ?? "unknown"]}</span>
          <button type="button" className={buttonLook({ low: true })} onClick={onTakeOver}>
            {text.takeOver}
          </button>
        </>
      )}
    </>
  );
}

/**
 * Bar over the lower edge with the reason why the fixtures do not follow. It appears during a song without shifting the
 * layout.
 */
export function StageRow({ isSilent, ...status }: StageStatusProps & { readonly isSilent: boolean }) {
  if (!isSilent && !needsARow(status.stage)) return null;
  return (
    <div
      role="status"
      className="fixed inset-x-0 bottom-0 z-3 flex flex-wrap items-center gap-x-3 gap-y-1.5 border-t bg-surface px-4 py-1.5 text-[12px] max-[480px]:px-3"
    >
      {needsARow(status.stage) && <StageStatus {...status} />}
      {isSilent && <span className="text-warn">{text.silent}</span>}
    </div>
  );
}
