import { identifyKey } from "@followspot/contract";
import type { LampSeen } from "@followspot/contract/night";
import { useEffect, useState } from "react";
import { press, useDesk } from "../desk/use-desk.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { TOUCH } from "../ui/touch.ts";
import { useLampWalk } from "./preflight.queries.ts";
import { preflightStrings } from "./preflight.strings.ts";

const text = preflightStrings.walk;
/** Identify ends by itself after ten seconds; who is still looking sees it go on. */
const AGAIN_MS = 9000;

/** Where the page has it. */
export const WALK = "walk";

/** Lamps flash one after the other, and a person in the hall says whether they did. */
export function LampWalk({ lamps }: { readonly lamps: readonly LampSeen[] }) {
  const [at, setAt] = useState<number>();
  const { forget } = useLampWalk();
  const firstUnseen = lamps.findIndex(({ isSeen }) => isSeen === undefined);
  const isBegun = lamps.some(({ isSeen }) => isSeen !== undefined);
  const lamp = at === undefined ? undefined : lamps[at];
  return (
    <section
      id={WALK}
      aria-label={text.title}
      // On a phone in the hall it comes first while lamps flash.
      className={cx("flex flex-col gap-3 rounded-lg border bg-surface p-4", lamp && "max-lg:order-first")}
    >
      <h2 className="font-semibold">{text.title}</h2>
      {lamps.length === 0 ? (
        <p className="text-sm text-muted">{text.none}</p>
      ) : lamp && at !== undefined ? (
        <Step
          key={lamp.lightId}
          lamp={lamp}
          place={text.step(at + 1, lamps.length)}
          onBack={at > 0 ? () => setAt(at - 1) : undefined}
          onNext={() => setAt(at + 1 < lamps.length ? at + 1 : undefined)}
          onStop={() => setAt(undefined)}
        />
      ) : (
        <>
          <p className="text-sm text-muted">{firstUnseen < 0 ? text.done : text.hint}</p>
          <div className="flex gap-2">
            {firstUnseen >= 0 && (
              <button type="button" className={cx(TOUCH, PRIMARY, "flex-1")} onClick={() => setAt(firstUnseen)}>
                {isBegun ? text.goOn : text.begin}
              </button>
            )}
            {isBegun && (
              <button
                type="button"
                className={cx(TOUCH, PLAIN, "flex-1")}
                disabled={forget.isPending}
                onClick={() => forget.mutate({}, { onSuccess: () => setAt(0) })}
              >
                {text.anew}
              </button>
            )}
          </div>
        </>
      )}
      <ol className="flex flex-col">
        {lamps.map(({ lightId, label, isSeen }, i) => (
          <li key={lightId}>
            <button
              type="button"
              aria-current={i === at}
              onClick={() => setAt(i)}
              className={cx(
                "flex w-full items-center gap-2 rounded px-1 py-1 text-left text-sm hover:bg-raised",
                i === at && "bg-raised",
              )}
            >
              <span className="min-w-0 flex-1 truncate">{label || text.noLabel}</span>
              <span className={cx("text-xs", isSeen === undefined ? "text-muted" : isSeen ? "text-ok" : "text-danger")}>
                {text.lamp[isSeen === undefined ? "unseen" : isSeen ? "seen" : "dark"]}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

interface StepProps {
  readonly lamp: LampSeen;
  readonly place: string;
  readonly onBack: (() => void) | undefined;
  readonly onNext: () => void;
  readonly onStop: () => void;
}

/** One lamp: it flashes as long as this is shown. */
function Step({ lamp: { lightId, label }, place, onBack, onNext, onStop }: StepProps) {
  const { note } = useLampWalk();
  const { connection } = useDesk();
  useEffect(() => {
    const control = identifyKey(lightId);
    const flash = () => press(control, true);
    flash();
    const timer = setInterval(flash, AGAIN_MS);
    return () => {
      clearInterval(timer);
      press(control, null);
    };
    // The connection may open only now: what is pressed before waits for it.
  }, [lightId, connection]);
  const say = (isSeen: boolean) => note.mutate({ lightId, isSeen }, { onSuccess: onNext });
  return (
    <div className="flex flex-col gap-3 rounded-lg border border-accent p-3">
      <p className="text-xs text-muted">{place}</p>
      <p className="text-2xl font-semibold break-words">{label || text.noLabel}</p>
      <p className="text-sm">
        {text.flashing}. {text.question}
      </p>
      <div className="grid grid-cols-2 gap-2">
        <button type="button" className={cx(TOUCH, PRIMARY)} disabled={note.isPending} onClick={() => say(true)}>
          {text.seen}
        </button>
        <button type="button" className={cx(TOUCH, DANGER)} disabled={note.isPending} onClick={() => say(false)}>
          {text.notSeen}
        </button>
      </div>
      <div className="flex gap-2">
        <Button large disabled={!onBack} onClick={onBack}>
          {text.back}
        </Button>
        <Button large className="ml-auto" onClick={onStop}>
          {text.stop}
        </Button>
      </div>
    </div>
  );
}

const PRIMARY = "border-transparent bg-accent text-accent-fg";
const PLAIN = "border-border bg-raised";
const DANGER = "border-border bg-raised text-danger";
