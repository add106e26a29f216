import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { errorSentence, isOvertaken, plainErrorText } from "../lib/errors.ts";
import { strings } from "../lib/strings.ts";
import { Button } from "./button.tsx";
import { FormError } from "./form-error.tsx";
import { Segments } from "./segments.tsx";

const text = strings.conflict;
const SIDES = (["mine", "theirs"] as const).map((value) => ({ value, label: text.sides[value] }));

/** One field that another person has changed, in words. */
export interface Difference {
  readonly name: string;
  readonly label: string;
  readonly theirs: string;
  /** It was changed here too, to something else. */
  readonly collides: boolean;
}

/**
 * Why a form was not saved. When another person was first and changed a field that was changed here too, it says who
 * changed what, keeps what was typed and asks whose words stay, field by field; where no field collides nothing is asked.
 * What was deleted meanwhile is only saved once it is restored. Every other refusal is the red box.
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
  /** Reads the thing as it is now. */
  readonly read: (signal: AbortSignal) => Promise<Thing | undefined>;
  readonly differences: (theirs: Thing) => readonly Difference[];
  /** It was deleted meanwhile. */
  readonly isGone: (theirs: Thing) => boolean;
  /** They changed other fields than those changed here. */
  readonly onApart: (theirs: Thing) => void;
  readonly onTheirs: (theirs: Thing) => void;
  /**
   * The next save is about this state: what was typed stays, what was not touched follows theirs.
   * @param taken names of fields that were typed here, and follow theirs all the same
   */
  readonly onMine: (theirs: Thing, taken: ReadonlySet<string>) => void;
  /** Brings it back and saves what was typed; absent where the person may not. @param theirs undefined where nothing is left of it */
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
