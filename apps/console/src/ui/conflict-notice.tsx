import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { isOvertaken, plainErrorText } from "../lib/errors.ts";
import { strings } from "../lib/strings.ts";
import { Button } from "./button.tsx";
import { FormError } from "./form-error.tsx";

/** One field that another person has changed, in words. */
export interface Difference {
  readonly label: string;
  readonly theirs: string;
}

/**
 * Why a form was not saved. When another person was first and changed a field that was changed here too, it says what they
 * changed, keeps what was typed and asks whose words stay; where no field collides nothing is asked. Every other refusal
 * is the red box.
 */
export function ConflictNotice<Thing>({
  error,
  read,
  differences,
  collides,
  onApart,
  onTheirs,
  onMine,
}: {
  readonly error: unknown;
  /** Reads the thing as it is now. */
  readonly read: (signal: AbortSignal) => Promise<Thing | undefined>;
  readonly differences: (theirs: Thing) => readonly Difference[];
  readonly collides: (theirs: Thing) => boolean;
  /** They changed other fields than those changed here. */
  readonly onApart: (theirs: Thing) => void;
  readonly onTheirs: (theirs: Thing) => void;
  /** The next save is about this state: what was typed stays, what was not touched follows theirs. */
  readonly onMine: (theirs: Thing) => void;
}) {
  const isConflict = isOvertaken(error);
  const now = useQuery({
    queryKey: ["conflict", error instanceof Error ? error.message : "", isConflict],
    queryFn: async ({ signal }) => (await read(signal)) ?? null,
    enabled: isConflict,
    staleTime: 0,
    gcTime: 0,
  });
  const theirs = now.data;
  const isApart = isConflict && theirs !== undefined && theirs !== null && !collides(theirs);
  const join = useEffectEvent(() => theirs && onApart(theirs));
  useEffect(() => {
    if (isApart) join();
  }, [isApart]);
  if (!isConflict) return <FormError error={error} />;
  if (isApart || now.isPending) return null;
  const changed = theirs ? differences(theirs) : [];
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-md border border-warn bg-warn/10 px-3 py-2 text-sm">
      <p>
        <span className="font-medium">{strings.conflict.title}</span> {strings.conflict.kept}
      </p>
      {now.isError && <p className="text-danger">{`${strings.conflict.unreadable}: ${plainErrorText(now.error)}`}</p>}
      <dl className="flex flex-col gap-1">
        {changed.map(({ label, theirs: value }) => (
          <div key={label} className="flex min-w-0 gap-2">
            <dt className="shrink-0 font-medium">{label}</dt>
            <dd className="line-clamp-3 min-w-0 wrap-anywhere text-muted">
              {strings.conflict.differs(value || strings.conflict.emptyValue)}
            </dd>
          </div>
        ))}
      </dl>
      {theirs && (
        <div className="flex gap-2">
          <Button onClick={() => onTheirs(theirs)}>{strings.conflict.loadTheirs}</Button>
          <Button onClick={() => onMine(theirs)}>{strings.conflict.keepMine}</Button>
        </div>
      )}
    </div>
  );
}
