import { CloudOff } from "lucide-react";
import { timeOfDay } from "../../lib/formatting.ts";
import { Button } from "../../ui/button.tsx";
import { checkInStrings } from "./check-in.strings.ts";
import type { DoorState } from "./door.ts";

const text = checkInStrings.offline;

/**
 * Panel with the offline state of the door, scans that are not synced, and conflicts; empty while there is nothing to
 * report.
 */
export function UnsettledPanel({
  isAway,
  kept: { scans, conflicts },
  problem,
  readAt,
  zone,
  isSafe,
  onClear,
}: Omit<DoorState, "scans"> & {
  /** Time when the codes were loaded. */
  readonly readAt: Date | undefined;
  /** Time zone of the event. */
  readonly zone: string | undefined;
  /** Whether the scans survive a reload. */
  readonly isSafe: boolean;
  readonly onClear: () => void;
}) {
  return (
    <>
      {(isAway || scans.length > 0) && (
        <section role="status" className="flex shrink-0 gap-3 rounded-lg border border-warn bg-surface p-3">
          <CloudOff aria-hidden size={20} className="shrink-0 text-warn" />
          <div className="min-w-0 wrap-anywhere">
            {isAway && (
              <>
                <p className="font-semibold text-warn">{text.title}</p>
                <p>{readAt ? text.goesOn(timeOfDay(readAt, zone)) : text.goesOnBlind}</p>
              </>
            )}
            {scans.length > 0 && <p className="font-medium">{text.unsettled(scans.length)}</p>}
            {problem !== "" && <p className="text-danger">{text.failed(problem)}</p>}
            {!isSafe && <p className="text-danger">{text.unkept}</p>}
          </div>
        </section>
      )}
      {conflicts.length > 0 && (
        <section aria-label={text.conflicts} className="shrink-0 rounded-lg border border-danger bg-surface p-3">
          <div className="flex items-center gap-3">
            <h2 className="font-semibold text-danger">{text.conflicts}</h2>
            <Button className="ml-auto" onClick={onClear}>
              {text.clear}
            </Button>
          </div>
          <ul className="mt-2 flex max-h-40 flex-col gap-1 overflow-auto">
            {conflicts.map(({ id, name, said }) => (
              <li key={id} className="wrap-anywhere">
                <span className="font-medium">{name}</span>: {said}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
