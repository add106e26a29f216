import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import { plainErrorText } from "../../lib/errors.ts";
import { GridTools } from "./grid-tools.tsx";
import { SaveBar, type PlanProgress } from "./save-bar.tsx";
import { SectionTools } from "./section-tools.tsx";
import type { SongPlayer } from "../player/song-player.ts";
import type { Corrections } from "./use-corrections.ts";
import { correctionsStrings } from "./corrections.strings.ts";

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
    <section className="vz-correct" aria-label={text.title}>
      <div className="vz-correct-title">
        <h2 ref={heading} tabIndex={-1}>
          {text.title}
        </h2>
        <button type="button" className="vz-button vz-icon vz-small" aria-label={text.close} onClick={onClose}>
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
        <div role="alert" className="vz-help vz-warn">
          {text.notLoaded(plainErrorText(problem))}{" "}
          <button type="button" className="vz-link" onClick={onRetry}>
            {text.retry}
          </button>
        </div>
      ) : (
        <p role="status" className="vz-muted">
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
    <div role="alert" className="vz-aside-note">
      <p>{text.setAside}</p>
      <div className="vz-tools">
        <button type="button" className="vz-button vz-small" onClick={choose("use")}>
          {text.useThem}
        </button>
        <button type="button" className="vz-button vz-small" onClick={choose("remove")}>
          {text.removeThem}
        </button>
      </div>
    </div>
  );
}
