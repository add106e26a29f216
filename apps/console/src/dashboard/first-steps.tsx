import type { DemoNight, GetFirstStepsResponse } from "@followspot/contract/firststeps";
import { Link, type LinkProps } from "@tanstack/react-router";
import { CircleCheck, Circle, X } from "lucide-react";
import { Button, buttonClass } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { Progress } from "../ui/progress.tsx";
import { showToast } from "../ui/toast.tsx";
import { useFirstStepsActions } from "./first-steps.queries.ts";
import { firstStepsStrings as text } from "./first-steps.strings.ts";
import { CARD } from "./number-card.tsx";

type StepId = keyof typeof text.steps;

/** Where each step is taken. */
const PLACES: Readonly<Record<StepId, Pick<LinkProps, "to" | "search">>> = {
  owner: { to: "/users", search: { role: "Admin" } },
  lamps: { to: "/lights", search: { open: "several" } },
  output: { to: "/lights", search: { open: "outputs" } },
  song: { to: "/music", search: { add: true } },
  light: { to: "/preflight" },
  event: { to: "/events", search: { open: "new" } },
  people: { to: "/users", search: { open: "new" } },
};

/** What a new installation still needs, each with the button that leads there; nothing once all is done or it was hidden. */
export function FirstSteps({ answer }: { readonly answer: GetFirstStepsResponse }) {
  const { steps, isHidden, demoNight, canMakeDemoNight } = answer;
  const done = steps.filter(({ isDone }) => isDone).length;
  const hasSteps = !isHidden && done < steps.length;
  const hasDemo = demoNight !== undefined && demoNight.state !== "none";
  if (!hasSteps && !hasDemo) return null;
  return (
    <section aria-label={hasSteps ? text.title : text.demo.title} className={cx(CARD, "shrink-0 gap-3")}>
      {hasSteps && <Steps steps={steps} done={done} />}
      {hasSteps && (canMakeDemoNight || hasDemo) && <hr />}
      {hasDemo ? <Demo demo={demoNight} /> : hasSteps && canMakeDemoNight && <Offer />}
    </section>
  );
}

function Steps({ steps, done }: { readonly steps: GetFirstStepsResponse["steps"]; readonly done: number }) {
  const { hide } = useFirstStepsActions();
  const onHide = () =>
    hide.mutate(
      { isHidden: true },
      { onSuccess: () => showToast(text.hidden, { undo: () => hide.mutate({ isHidden: false }) }) },
    );
  return (
    <>
      <div className="flex items-center gap-3">
        <h2 className="font-semibold">{text.title}</h2>
        <span className="text-xs text-muted">{text.progress(done, steps.length)}</span>
        <Button variant="ghost" className="ml-auto" aria-label={text.hide} title={text.hide} onClick={onHide}>
          <X aria-hidden size={16} />
        </Button>
      </div>
      <ol className="grid gap-x-8 gap-y-1 lg:grid-cols-2">
        {steps.map(({ id, isDone }) => (
          <Step key={id} id={id as StepId} isDone={isDone} />
        ))}
      </ol>
    </>
  );
}

function Step({ id, isDone }: { readonly id: StepId; readonly isDone: boolean }) {
  const { title, text: sentence, action } = text.steps[id];
  const Mark = isDone ? CircleCheck : Circle;
  return (
    <li className="flex min-h-11 items-center gap-3">
      <Mark
        role="img"
        aria-label={isDone ? text.done : text.toDo}
        size={18}
        className={cx("shrink-0", isDone ? "text-ok" : "text-muted")}
      />
      <p className="min-w-0 flex-1 text-sm">
        <span className={cx("font-medium", isDone && "text-muted")}>{title}</span>
        {!isDone && <span className="block text-xs text-muted">{sentence}</span>}
      </p>
      {!isDone && (
        <Link {...PLACES[id]} className={buttonClass()}>
          {action}
        </Link>
      )}
    </li>
  );
}

function Offer() {
  const { make } = useFirstStepsActions();
  return (
    <div className="flex items-center gap-4 max-sm:flex-col max-sm:items-start">
      <p className="min-w-0 flex-1 text-sm text-muted">{text.demo.offer}</p>
      <Button variant="primary" large pending={make.isPending} onClick={() => make.mutate({})}>
        {text.demo.make}
      </Button>
    </div>
  );
}

function Demo({ demo: { state, says } }: { readonly demo: DemoNight }) {
  const { remove } = useFirstStepsActions();
  if (state === "making" || state === "removing") {
    const line = state === "making" ? text.demo.making(says) : text.demo.removing;
    return (
      <div className="flex flex-col gap-2">
        <p role="status" className="text-sm">
          {line}
        </p>
        <Progress label={line} />
      </div>
    );
  }
  const isBroken = state === "broken";
  return (
    <div className="flex items-center gap-4 max-sm:flex-col max-sm:items-start">
      <p
        role={isBroken ? "alert" : "status"}
        className={cx("min-w-0 flex-1 text-sm wrap-anywhere", isBroken ? "text-danger" : "text-muted")}
      >
        {isBroken ? text.demo.broken(says) : text.demo.made}
      </p>
      <span className="flex flex-wrap gap-2">
        {!isBroken && (
          <>
            <Link to="/tonight" className={buttonClass({ variant: "primary" })}>
              {text.demo.tonight}
            </Link>
            <Link to="/music" className={buttonClass()}>
              {text.demo.songs}
            </Link>
          </>
        )}
        <Button variant="danger" pending={remove.isPending} onClick={() => remove.mutate({})}>
          {isBroken ? text.demo.removeRest : text.demo.remove}
        </Button>
      </span>
    </div>
  );
}
