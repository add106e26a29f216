import type { ServerHealth } from "../lib/server-health.ts";
import { strings } from "../lib/strings.ts";
import { PauseNotices } from "./pause-notices.tsx";
import { cx } from "./class-names.ts";

/**
 * Notices about functions of the server that do not work or will soon fail, such as a full disk; empty if everything
 * works.
 */
export function HealthNotices({
  health: { reasons = [], warnings: told = [], pauses = [] },
  mayResume,
}: {
  readonly health: ServerHealth;
  /** Whether the user may resume paused queues. */
  readonly mayResume: boolean;
}) {
  const warnings = told.filter((sentence) => !pauses.some(({ warning }) => warning === sentence));
  if (reasons.length + warnings.length + pauses.length === 0) return null;
  return (
    <ul aria-label={strings.serverHealth} className="flex shrink-0 flex-col gap-2">
      {pauses.length > 0 && (
        <li className="flex flex-col gap-2">
          <PauseNotices pauses={pauses} mayResume={mayResume} />
        </li>
      )}
      {[...reasons, ...warnings].map((sentence) => (
        <li key={sentence}>
          <p
            role="alert"
            className={cx(
              "rounded-md border px-3 py-2 text-sm wrap-anywhere",
              reasons.includes(sentence) ? "border-danger text-danger" : "border-warn bg-warn/10",
            )}
          >
            {sentence}
          </p>
        </li>
      ))}
    </ul>
  );
}
