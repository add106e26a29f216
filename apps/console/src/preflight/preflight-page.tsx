import type { PreflightLine } from "@followspot/contract/night";
import { Link } from "@tanstack/react-router";
import { CircleCheck, RefreshCw, TriangleAlert, CircleX } from "lucide-react";
import { errorSentence } from "../lib/errors.ts";
import { timeOfDay, toDate } from "../lib/formatting.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { Page } from "../ui/page.tsx";
import { ErrorState, Loading } from "../ui/states.tsx";
import { CopyCommand } from "./attention-lines.tsx";
import { LampWalk, WALK } from "./lamp-walk.tsx";
import { usePreflight } from "./preflight.queries.ts";
import { preflightStrings as text } from "./preflight.strings.ts";
import { RetryAll } from "./retry-all.tsx";
import { TakeOff } from "./take-off.tsx";

type State = keyof typeof text.state;
const MARKS = { ok: CircleCheck, warning: TriangleAlert, fault: CircleX } as const;
const INK = { ok: "text-ok", warning: "text-warn", fault: "text-danger" } as const;
/** Sort order of line states, most urgent first. */
const URGENCY: Record<State, number> = { fault: 0, warning: 1, ok: 2 };

/** Everything a night needs, each line with what to do about it; and a walk through the lamps. */
export function PreflightPage() {
  const { data, isPending, isError, error, isFetching, failureCount, failureReason, refetch } = usePreflight();
  const lines = (data?.lines ?? []).toSorted((a, b) => URGENCY[stateOf(a)] - URGENCY[stateOf(b)]);
  const checkedAt = toDate(data?.checkedAt);
  // A failed check is retried before it counts as an error.
  const isOld = data !== undefined && failureCount > 0;
  return (
    <Page
      title={text.title}
      subtitle={text.subtitle}
      tools={
        <>
          <span className={cx("text-xs", isOld ? "text-warn" : "text-muted")}>
            {checkedAt && (isOld ? text.notChecked : text.checked)(timeOfDay(checkedAt))}
          </span>
          <Button pending={isFetching && isPending} onClick={() => void refetch()}>
            <RefreshCw aria-hidden size={14} /> {text.again}
          </Button>
          <Link to="/rehearsal" className={buttonClass()}>
            {text.rehearse}
          </Link>
        </>
      }
    >
      {isPending && <Loading />}
      {isError && !data && <ErrorState prefix={text.loadError} error={error} onRetry={() => void refetch()} />}
      {data && (
        <div className="grid shrink-0 items-start gap-3 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <section className="overflow-hidden rounded-lg border bg-surface">
            {isOld ? <Old reason={failureReason} /> : <Summary lines={lines} />}
            <ul aria-label={text.list} className={cx(isOld && "opacity-50 grayscale")}>
              {lines.map((line) => (
                <Row key={line.id} line={line} />
              ))}
            </ul>
          </section>
          <LampWalk lamps={data.lamps} />
        </div>
      )}
    </Page>
  );
}

/** Notice that the results below are from an earlier check and may be outdated. */
function Old({ reason }: { readonly reason: unknown }) {
  return (
    <p role="alert" className="border-b px-4 py-3 text-sm text-warn">
      {text.old(errorSentence(reason))}
    </p>
  );
}

function Summary({ lines }: { readonly lines: readonly PreflightLine[] }) {
  const of = (state: State) => lines.filter((line) => stateOf(line) === state).length;
  const [faults, warnings] = [of("fault"), of("warning")];
  const worst: State = faults > 0 ? "fault" : warnings > 0 ? "warning" : "ok";
  return (
    <p role="status" className={cx("border-b px-4 py-3 text-lg font-semibold", INK[worst])}>
      {worst === "ok" ? text.allWell : text.summary(faults, warnings)}
    </p>
  );
}

function Row({ line }: { readonly line: PreflightLine }) {
  const state = stateOf(line);
  const Mark = MARKS[state];
  return (
    <li
      data-line={line.id}
      data-state={state}
      className="flex flex-wrap items-start gap-x-3 gap-y-2 border-b px-4 py-3 last:border-b-0"
    >
      <Mark role="img" aria-label={text.state[state]} size={18} className={cx("mt-px shrink-0", INK[state])} />
      <div className="min-w-0 flex-1 basis-60">
        <p className="text-sm font-medium">{line.title}</p>
        <p className={cx("text-sm wrap-anywhere", state === "ok" ? "text-muted" : "text-fg")}>{line.says}</p>
      </div>
      <div className="flex flex-wrap gap-2 max-sm:pl-7">
        <RetryAll retries={line.retries} isPlain={line.places.length > 0} />
        <TakeOff places={line.places} />
        {line.id === "lamps" && state !== "ok" && (
          <a href={`#${WALK}`} className={buttonClass({ large: true })}>
            {text.walk.show}
          </a>
        )}
        {line.path && state !== "ok" && (
          <Link to={line.path} className={buttonClass({ large: true })}>
            {line.action}
          </Link>
        )}
        {state !== "ok" && <CopyCommand id={line.id} large />}
      </div>
    </li>
  );
}

/** What a newer server may say besides counts as a warning. */
function stateOf({ state }: PreflightLine): State {
  return Object.hasOwn(text.state, state) ? (state as State) : "warning";
}
