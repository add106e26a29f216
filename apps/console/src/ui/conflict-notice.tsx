import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { errorSentence, isOvertaken, plainErrorText } from "../lib/errors.ts";
import { strings } from "../lib/strings.ts";
import { Button } from "./button.tsx";
import { FormError } from "./form-error.tsx";
import { Segments } from "./segments.tsx";

const text = strings.conflict;
const SIDES = (["mine", "theirs"] as const).map((value) => ({ value, label: text.sides[value] }));

/** A field that another user has changed, formatted for display. */
export interface Difference {
  readonly name: string;
  readonly label: string;
  readonly theirs: string;
  /** Whether the field was also edited in this form, to another value. */
  readonly collides: boolean;
}

/**
 * Explains why a form was not saved. If another user saved first and both changed the same field, the notice names the
 * user and the fields. Edited values stay, and the user chooses between both values, field by field. Without such a
 * field no question is asked. A deleted item is saved only after it is restored. Every other refusal is shown in the
 * red box.
 */
export function ConflictNotice<Thing>({
  error,
  read,
  differences,
  isGone,
  onApart,
  onTheirs,
  onMine,
  restore,
}: {
  readonly error: unknown;
  /** Reads the current state of the item. */
  readonly read: (signal: AbortSignal) => Promise<Thing | undefined>;
  readonly differences: (theirs: Thing) => readonly Difference[];
  /** Whether another user has deleted the item. */
  readonly isGone: (theirs: Thing) => boolean;
  /** Called if the other user changed only fields that were not edited here. */
  readonly onApart: (theirs: Thing) => void;
  readonly onTheirs: (theirs: Thing) => void;
  /**
   * Rebases the next save on this state: edited fields keep their values, the others take theirs.
   * @param taken names of edited fields that take their values anyway
   */
  readonly onMine: (theirs: Thing, taken: ReadonlySet<string>) => void;
  /**
   * Restores the item and saves the edits; undefined if the user lacks the permission. @param theirs undefined if the
   * item no longer exists
   */
  readonly restore?: ((theirs: Thing | undefined) => Promise<unknown>) | undefined;
}) {
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const isConflict = isOvertaken(error);
  const now = useQuery({
    queryKey: ["conflict", error instanceof Error ? error.message : "", isConflict],
    queryFn: async ({ signal }) => (await read(signal)) ?? null,
    enabled: isConflict,
    staleTime: 0,
    gcTime: 0,
  });
  const theirs = now.data;
  const changed = theirs ? differences(theirs) : [];
  const colliding = changed.filter(({ collides }) => collides);
  const isDeleted = theirs === null || Boolean(theirs && isGone(theirs));
  const isApart = isConflict && Boolean(theirs) && !isDeleted && colliding.length === 0;
  const join = useEffectEvent(() => theirs && onApart(theirs));
  useEffect(() => {
    if (isApart) join();
  }, [isApart]);
  if (!isConflict) return <FormError error={error} />;
  if (isApart || now.isPending) return null;
  const isEachAsked = colliding.length > 1 && !isDeleted;
  const choose = (name: string, side: "mine" | "theirs") => {
    const others = [...taken].filter((each) => each !== name);
    setTaken(new Set(side === "theirs" ? [...others, name] : others));
  };
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-md border border-warn bg-warn/10 px-3 py-2 text-sm">
      <p>
        <span className="font-medium wrap-anywhere">{errorSentence(error)}</span> {text.kept}
      </p>
      {now.isError && <p className="text-danger">{`${text.unreadable}: ${plainErrorText(now.error)}`}</p>}
      <dl className="flex flex-col gap-1 empty:hidden">
        {changed.map(({ name, label, theirs: value, collides }) => (
          <div key={name} className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
            <dt className="shrink-0 font-medium">{label}</dt>
            <dd className="line-clamp-3 min-w-0 flex-1 basis-40 wrap-anywhere text-muted">
              {text.differs(value || text.emptyValue)}
            </dd>
            {isEachAsked && collides && (
              <dd>
                <Segments
                  label={text.sideOf(label)}
                  segments={SIDES}
                  value={taken.has(name) ? "theirs" : "mine"}
                  onChange={(side) => choose(name, side)}
                />
              </dd>
            )}
          </div>
        ))}
      </dl>
      {isDeleted && restore && <RestoreButton onRestore={() => restore(theirs ?? undefined)} />}
      {theirs && !isDeleted && (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => onTheirs(theirs)}>{isEachAsked ? text.loadAllTheirs : text.loadTheirs}</Button>
          <Button onClick={() => onMine(theirs, taken)}>{isEachAsked ? text.keepChosen : text.keepMine}</Button>
        </div>
      )}
    </div>
  );
}

function RestoreButton({ onRestore }: { readonly onRestore: () => Promise<unknown> }) {
  const restore = useMutation({ mutationFn: onRestore });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button aria-busy={restore.isPending} onClick={() => !restore.isPending && restore.mutate()}>
        {text.restoreAndSave}
      </Button>
      {restore.isError && <span className="text-danger">{errorSentence(restore.error)}</span>}
    </div>
  );
}
