import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import { plainErrorText } from "../../lib/errors.ts";
import { GridTools } from "./grid-tools.tsx";
import { SaveBar, type PlanProgress } from "./save-bar.tsx";
import { SectionTools } from "./section-tools.tsx";
import type { SongPlayer } from "../player/song-player.ts";
import type { Corrections } from "./use-corrections.ts";
import { correctionsStrings } from "./corrections.strings.ts";
import { cx } from "../../ui/class-names.ts";
import { BANNER, buttonLook, HELP, LINK, MUTED, TOOLS, WARN } from "../look.ts";

const text = correctionsStrings;

interface CorrectPanelProps extends PlanProgress {
  readonly corrections: Corrections | undefined;
  readonly problem: unknown;
  readonly onRetry: () => void;
  readonly player: SongPlayer;
  readonly onClose: () => void;
}

/** What a person corrects in the analysis: tempo, bars, sections. Shown at once, kept when saved. */
export function CorrectPanel(props: CorrectPanelProps) {
  const { corrections, problem, onRetry, player, onClose } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  const focusHeading = (): void => heading.current?.focus();
  useEffect(() => {
    heading.current?.focus();
    heading.current?.scrollIntoView?.({ block: "nearest" });
  }, []);
  return (
    <section className="flex flex-col gap-3.5 border-b pb-4.5" aria-label={text.title}>
      <div className="flex items-center justify-between">
        <h2 ref={heading} tabIndex={-1} className="text-[13px] font-semibold outline-none">
          {text.title}
        </h2>
        <button
          type="button"
          className={buttonLook({ icon: true, small: true })}
          aria-label={text.close}
          onClick={onClose}
        >
          <X size={14} aria-hidden="true" />
        </button>
      </div>
      {corrections ? (
        <>
          <SaveBar {...props} corrections={corrections} focusHeading={focusHeading} />
          <SetAside corrections={corrections} focusHeading={focusHeading} />
          <GridTools corrections={corrections} player={player} />
          <SectionTools corrections={corrections} player={player} />
        </>
      ) : problem ? (
        <div role="alert" className={cx(HELP, WARN)}>
          {text.notLoaded(plainErrorText(problem))}{" "}
          <button type="button" className={LINK} onClick={onRetry}>
            {text.retry}
          </button>
        </div>
      ) : (
        <p role="status" className={MUTED}>
          {text.loading}
        </p>
      )}
    </section>
  );
}

interface SetAsideProps {
  readonly corrections: Corrections;
  readonly focusHeading: () => void;
}

function SetAside({ corrections: { fits, settle }, focusHeading }: SetAsideProps) {
  if (fits) return null;
  const choose = (choice: "use" | "remove") => (): void => {
    settle(choice);
    focusHeading();
  };
  return (
    <div role="alert" className={cx(BANNER, "flex flex-col gap-2 px-3 pt-2 pb-2.5 text-xs")}>
      <p>{text.setAside}</p>
      <div className={TOOLS}>
        <button type="button" className={buttonLook({ small: true })} onClick={choose("use")}>
          {text.useThem}
        </button>
        <button type="button" className={buttonLook({ small: true })} onClick={choose("remove")}>
          {text.removeThem}
        </button>
      </div>
    </div>
  );
}
