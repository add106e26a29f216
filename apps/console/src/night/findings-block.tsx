import type { RehearsalFinding } from "@followspot/contract/night";
import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleX, TriangleAlert } from "lucide-react";
import { RetryAll } from "../preflight/retry-all.tsx";
import { buttonClass } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { nightStrings } from "./night.strings.ts";

const text = nightStrings.rehearsal;

/** What would go wrong, faults first, each with where it is mended. */
export function FindingsBlock({ findings }: { readonly findings: readonly RehearsalFinding[] }) {
  const faults = findings.filter(isFault).length;
  const worst = faults > 0 ? "text-danger" : findings.length > 0 ? "text-warn" : "text-ok";
  return (
    <section aria-label={text.findings} className="shrink-0 overflow-hidden rounded-lg border bg-surface">
      <p role="status" className={cx("flex items-center gap-2 px-4 py-3 text-lg font-semibold", worst)}>
        {findings.length === 0 && <CircleCheck aria-hidden size={18} />}
        {findings.length === 0 ? text.well : text.found(faults, findings.length - faults)}
      </p>
      <ul>
        {findings.map((finding, i) => {
          const { title, says, path, action, retries } = finding;
          const Mark = isFault(finding) ? CircleX : TriangleAlert;
          return (
            <li key={i} className="flex flex-wrap items-start gap-x-3 gap-y-2 border-t px-4 py-3">
              <Mark
                role="img"
                aria-label={isFault(finding) ? text.state.fault : text.state.warning}
                size={18}
                className={cx("mt-px shrink-0", isFault(finding) ? "text-danger" : "text-warn")}
              />
              <div className="min-w-0 flex-1 basis-60">
                <p className="text-sm font-medium">{title}</p>
                <p className="text-sm wrap-anywhere">{says}</p>
              </div>
              <div className="flex flex-wrap gap-2 max-sm:pl-7">
                <RetryAll retries={retries} />
                {path && (
                  <Link to={path} className={buttonClass({ large: true })}>
                    {action}
                  </Link>
                )}
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const isFault = ({ state }: RehearsalFinding): boolean => state === "fault";
