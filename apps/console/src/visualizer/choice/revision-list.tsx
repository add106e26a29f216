import type { PlanRevision } from "@followspot/contract/music";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { dateTime } from "../../lib/formatting.ts";
import { Swatches } from "../panels/side-panel.tsx";
import { buttonLook, MUTED } from "../look.ts";
import { NotYet } from "../side-tool.tsx";
import { choiceStrings } from "./choice.strings.ts";

const text = choiceStrings.revisions;

interface RevisionListProps {
  readonly revisions: readonly PlanRevision[];
  readonly problem: unknown;
  readonly onRetry: () => void;
  readonly disabled: boolean;
  readonly onRestore: (number: number) => void;
}

/** Shows that this song had, newest first, each with a button that restores it. */
export function RevisionList({ revisions, problem, onRetry, disabled, onRestore }: RevisionListProps) {
  if (problem && revisions.length === 0) return <NotYet problem={problem} notLoaded={text.failed} onRetry={onRetry} />;
  return (
    <details>
      <summary className="text-[12px]/[18px] font-semibold">{text.title(revisions.length)}</summary>
      <ol className="flex flex-col gap-2 pt-2">
        {revisions.map(({ number, changed, madeAt, madeBy, isCurrent, palette }) => (
          <li key={number} className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 text-xs">
            <span className="wrap-anywhere first-letter:uppercase">{changed.join("; ")}</span>
            {isCurrent ? (
              <span className="text-ok">{text.current}</span>
            ) : (
              <button
                type="button"
                className={buttonLook({ small: true })}
                disabled={disabled}
                onClick={() => onRestore(number)}
              >
                {text.restore}
                <span className="sr-only">{text.restoreNumber(number)}</span>
              </button>
            )}
            <span className={`col-span-full ${MUTED}`}>
              {text.show(number)} · {madeAt && dateTime(timestampDate(madeAt))}
              {madeBy && text.by(madeBy)} <Swatches palette={palette} />
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}
