import type { ServerHealth } from "../lib/server-health.ts";
import { strings } from "../lib/strings.ts";
import { cx } from "./class-names.ts";

/** Why something does not work on the server, or soon will not, such as a disk that is full; nothing while all is well. */
export function HealthNotices({ health: { reasons = [], warnings = [] } }: { readonly health: ServerHealth }) {
  if (reasons.length + warnings.length === 0) return null;
  return (
    <ul aria-label={strings.serverHealth} className="flex shrink-0 flex-col gap-2">
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
