import { CircleCheck, CircleDashed, CircleX, DoorOpen, History, LoaderCircle, ScanLine } from "lucide-react";
import { useEffect, useId, useRef, type FormEvent } from "react";
import { isElsewhere } from "../../lib/key-target.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { CameraScan } from "./camera-scan.tsx";
import { checkInStrings as text } from "./check-in.strings.ts";
import type { Scan } from "./scans.ts";

const LOOKS = {
  waiting: { word: text.waiting, mark: LoaderCircle, look: "border-border text-muted" },
  in: { word: text.in, mark: CircleCheck, look: "border-ok text-ok" },
  here: { word: text.here, mark: CircleDashed, look: "border-ok text-ok" },
  again: { word: text.again, mark: History, look: "border-warn text-warn" },
  refused: { word: text.refused, mark: CircleX, look: "border-danger text-danger" },
} as const;

/** Field for scanners, and the result of each scan, readable at arm's length. */
export function ScanPanel({
  scans,
  onScan,
  onAdmit,
}: {
  readonly scans: readonly Scan[];
  readonly onScan: (code: string) => void;
  /** Overrides the rejection of an attendee. */
  readonly onAdmit: (code: string) => void;
}) {
  const [newest, ...before] = scans;
  return (
    <section aria-label={text.scanLabel} className="grid shrink-0 gap-3 md:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-3 rounded-lg border bg-surface p-3">
        <ScanField onScan={onScan} />
        <CameraScan onScan={onScan} />
      </div>
      <div className="flex min-w-0 flex-col gap-2">
        <div role="status" aria-atomic="true">
          <Answer scan={newest} />
        </div>
        {newest?.canAdmit && (
          <Button large className="self-start" onClick={() => onAdmit(newest.code)}>
            <DoorOpen aria-hidden size={14} /> {text.admit}
          </Button>
        )}
        {before.length > 0 && (
          <ol aria-label={text.history} className="flex flex-col gap-0.5 text-xs text-muted">
            {before.map(({ id, state, name, detail }) => (
              <li key={id} className="truncate">
                {[LOOKS[state].word, name, detail].filter(Boolean).join(" · ")}
              </li>
            ))}
          </ol>
        )}
      </div>
    </section>
  );
}

function Answer({ scan }: { readonly scan: Scan | undefined }) {
  const {
    word,
    mark: Mark,
    look,
  } = scan ? LOOKS[scan.state] : { word: text.ready, mark: ScanLine, look: "border-border text-muted" };
  return (
    <div
      data-scan={scan?.state ?? "ready"}
      className={cx("flex min-h-24 items-center gap-3 rounded-lg border-2 bg-surface p-3", look)}
    >
      <Mark aria-hidden size={40} className={cx("shrink-0", scan?.state === "waiting" && "animate-spin")} />
      <div className="min-w-0">
        <p className="text-2xl font-semibold">{word}</p>
        {scan?.name && <p className="text-lg font-medium wrap-anywhere text-fg">{scan.name}</p>}
        {scan?.detail && <p className="text-sm wrap-anywhere text-fg">{scan.detail}</p>}
      </div>
    </div>
  );
}

/**
 * Field for codes. A scanner types the code and presses Enter: the field takes the focus at the first letter that no
 * other field receives.
 */
function ScanField({ onScan }: { readonly onScan: (code: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => {
    field.current?.focus();
    const catchKeys = (event: KeyboardEvent) => {
      // Focused during keydown, the field receives the letter. Space activates the focused element.
      if (event.key.length === 1 && event.key !== " " && !isElsewhere(event)) field.current?.focus();
    };
    window.addEventListener("keydown", catchKeys);
    return () => window.removeEventListener("keydown", catchKeys);
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!field.current) return;
    const code = field.current.value.trim();
    field.current.value = "";
    field.current.focus();
    if (code !== "") onScan(code);
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-1">
      <label htmlFor={id} className="text-xs font-medium">
        {text.scanLabel}
      </label>
      <div className="flex gap-2">
        <input
          ref={field}
          id={id}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={2000}
          aria-describedby={`${id}-hint`}
          className="h-11 min-w-0 flex-1 rounded-md border bg-bg px-2 font-mono text-base text-fg"
        />
        <Button type="submit" variant="primary" className="h-11">
          {text.scan}
        </Button>
      </div>
      <p id={`${id}-hint`} className="text-xs text-muted">
        {text.scanHint}
      </p>
    </form>
  );
}
