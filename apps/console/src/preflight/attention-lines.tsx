import type { PreflightLine } from "@followspot/contract/night";
import { Link } from "@tanstack/react-router";
import { errorText } from "../lib/errors.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { showToast } from "../ui/toast.tsx";
import { preflightStrings as text } from "./preflight.strings.ts";

/** The line of it that is mended on the server, or got round there by a command. */
const CODES = "codes";

async function copyCommand(): Promise<void> {
  try {
    await navigator.clipboard.writeText(text.linkCommand);
    showToast(text.copied(text.linkCommand));
  } catch {
    // Over plain http there is no clipboard at all.
    showToast(text.notCopied(text.linkCommand), { bad: true });
  }
}

/** Copies the command that gets round a line which is mended on the server alone; nothing for other lines. */
export function CopyCommand({ id, large }: { readonly id: string; readonly large?: boolean }) {
  if (id !== CODES) return null;
  return (
    <Button large={large} onClick={() => void copyCommand()}>
      {text.copyCommand}
    </Button>
  );
}

/** What of preflight is not well, faults first. */
export function badLines(lines: readonly PreflightLine[]): readonly PreflightLine[] {
  const bad = lines.filter(({ state }) => state !== "ok");
  return [...bad.filter(({ state }) => state === "fault"), ...bad.filter(({ state }) => state !== "fault")];
}

/** The first of them, each with the button that leads to where it is mended, and the way to all; none that may be old. */
export function AttentionLines({
  lines,
  most,
  isShort = false,
  error,
}: {
  readonly lines: readonly PreflightLine[];
  readonly most: number;
  /** Two lines of each at most; the whole of it is told under the pointer. */
  readonly isShort?: boolean;
  /** Why it could not be looked; null while it can. */
  readonly error: unknown;
}) {
  const shown = error === null ? lines : [];
  return (
    <>
      {error !== null && (
        <p role="alert" className="text-sm wrap-anywhere text-danger">{`${text.loadError}: ${errorText(error)}`}</p>
      )}
      <ul className="flex flex-col gap-2">
        {shown.slice(0, most).map(({ id, title, says, state, path, action }) => (
          <li key={id} className="flex flex-wrap items-start gap-x-2 gap-y-1">
            <span
              aria-hidden
              className={cx("mt-1.5 size-2 shrink-0 rounded-full", state === "fault" ? "bg-danger" : "bg-warn")}
            />
            <p
              className={cx("min-w-0 flex-1 basis-48 text-sm wrap-anywhere", isShort && "line-clamp-2")}
              title={isShort ? says : undefined}
            >
              <span className="font-medium">{title}.</span> <span className="text-muted">{says}</span>
            </p>
            {path && (
              <Link to={path} className={buttonClass()}>
                {action}
              </Link>
            )}
            <CopyCommand id={id} />
          </li>
        ))}
      </ul>
      {shown.length > most && (
        <Link to="/preflight" className="text-sm text-accent hover:underline">
          {text.all}
        </Link>
      )}
    </>
  );
}
