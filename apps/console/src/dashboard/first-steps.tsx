import type { DemoNight, GetFirstStepsResponse } from "@followspot/contract/firststeps";
import { Link, type LinkProps } from "@tanstack/react-router";
import { CircleCheck, Circle, X } from "lucide-react";
import { useState } from "react";
import { Button, buttonClass } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { Progress } from "../ui/progress.tsx";
import { showToast } from "../ui/toast.tsx";
import { useFirstStepsActions } from "./first-steps.queries.ts";
import { firstStepsForm } from "./first-steps-form.ts";
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
  const form = firstStepsForm(answer);
  if (form === "none") return null;
  return form === "line" ? <FirstStepsLine answer={answer} /> : <FirstStepsCard answer={answer} />;
}

/** The whole list, beside what needs attention. */
function FirstStepsCard({ answer: { steps, canMakeDemoNight } }: { readonly answer: GetFirstStepsResponse }) {
  return (
    <section aria-label={text.title} className={cx(CARD, "gap-2")}>
      <div className="flex items-center gap-3">
        <Head steps={steps} />
        <Hide />
      </div>
      <Steps steps={steps} />
      {canMakeDemoNight && <Offer />}
    </section>
  );
}

/** One line: how far it is, what comes next, and the demo night. A press opens the list. */
function FirstStepsLine({ answer: { steps, isHidden, demoNight } }: { readonly answer: GetFirstStepsResponse }) {
  const [isOpen, setOpen] = useState(false);
  const next = steps.find(({ isDone }) => !isDone);
  const hasSteps = !isHidden && next !== undefined;
  const hasDemo = demoNight !== undefined && demoNight.state !== "none";
  return (
    <section aria-label={hasSteps ? text.title : text.demo.title} className={cx(CARD, "shrink-0 gap-2 px-4 py-2")}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {hasSteps && (
          <>
            <Head steps={steps} />
            <Button variant="ghost" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? text.fewer : text.all}
            </Button>
            <Hide />
          </>
        )}
        {hasDemo ? <Demo demo={demoNight} /> : hasSteps && !isOpen && <Next id={next.id as StepId} />}
      </div>
      {hasSteps && isOpen && <Steps steps={steps} isWide />}
    </section>
  );
}

function Head({ steps }: { readonly steps: GetFirstStepsResponse["steps"] }) {
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <>
      <h2 className="font-semibold">{text.title}</h2>
      <span className="text-xs text-muted">{text.progress(done, steps.length)}</span>
    </>
  );
}

function Hide() {
  const { hide } = useFirstStepsActions();
  const onHide = () =>
    hide.mutate(
      { isHidden: true },
      { onSuccess: () => showToast(text.hidden, { undo: () => hide.mutate({ isHidden: false }) }) },
    );
  return (
    <Button variant="ghost" className="ml-auto lg:order-last" aria-label={text.hide} title={text.hide} onClick={onHide}>
      <X aria-hidden size={16} />
    </Button>
  );
}

/** The step to take now, in a line. */
function Next({ id }: { readonly id: StepId }) {
  const { title, text: sentence, action } = text.steps[id];
  return (
    <>
      <p className="min-w-0 flex-1 basis-60 truncate text-sm" title={sentence}>
        <span className="font-medium">{title}.</span> <span className="text-muted">{sentence}</span>
      </p>
      <Link {...PLACES[id]} className={buttonClass()}>
        {action}
      </Link>
    </>
  );
}

/** All of them; the first that is to do says what it is for. */
function Steps({
  steps,
  isWide = false,
}: {
  readonly steps: GetFirstStepsResponse["steps"];
  readonly isWide?: boolean;
}) {
  const next = steps.find(({ isDone }) => !isDone)?.id;
  return (
    <ol className={cx("grid gap-x-8 gap-y-0.5", isWide && "lg:grid-cols-2")}>
      {steps.map(({ id, isDone }) => (
        <Step key={id} id={id as StepId} isDone={isDone} isTold={id === next} />
      ))}
    </ol>
  );
}

function Step({ id, isDone, isTold }: { readonly id: StepId; readonly isDone: boolean; readonly isTold: boolean }) {
  const { title, text: sentence, action } = text.steps[id];
  const Mark = isDone ? CircleCheck : Circle;
  return (
    <li className="flex min-h-7 items-center gap-3">
      <Mark
        role="img"
        aria-label={isDone ? text.done : text.toDo}
        size={16}
        className={cx("shrink-0", isDone ? "text-ok" : "text-muted")}
      />
      <p className="min-w-0 flex-1 text-sm" title={sentence}>
        <span className={cx("font-medium", isDone && "text-muted")}>{title}</span>
        {isTold && <span className="block text-xs text-muted">{sentence}</span>}
      </p>
      {!isDone && id === "song" && (
        <Link to="/music" className={cx(buttonClass(), "h-6")}>
          {text.steps.song.other}
        </Link>
      )}
      {!isDone && (
        <Link {...PLACES[id]} className={cx(buttonClass(), "h-6")}>
          {action}
        </Link>
      )}
    </li>
  );
}

function Offer() {
  const { make } = useFirstStepsActions();
  return (
    <div className="flex items-center gap-4 border-t pt-2 max-sm:flex-col max-sm:items-start">
      <p className="min-w-0 flex-1 text-xs text-muted">{text.demo.offer}</p>
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
      <div className="flex min-w-0 flex-1 basis-60 flex-col gap-1">
        <p role="status" className="text-sm">
          {line}
        </p>
        <Progress label={line} />
      </div>
    );
  }
  const isBroken = state === "broken";
  return (
    <div className="flex min-w-0 flex-1 basis-80 flex-wrap items-center gap-x-4 gap-y-2">
      <p
        role={isBroken ? "alert" : "status"}
        className={cx("min-w-0 flex-1 basis-60 text-sm wrap-anywhere", isBroken ? "text-danger" : "text-muted")}
      >
        {isBroken ? text.demo.broken(says) : text.demo.made}
      </p>
      <span className="flex flex-wrap gap-2">
        {!isBroken && (
          <>
            <Link to="/tonight" className={buttonClass()}>
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
