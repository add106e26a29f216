import { useRef } from "react";
import { GridTools } from "./grid-tools.tsx";
import { SaveBar, type PlanProgress } from "./save-bar.tsx";
import { SectionTools } from "./section-tools.tsx";
import type { SongPlayer } from "../player/song-player.ts";
import { NotYet, SideTool } from "../side-tool.tsx";
import type { Corrections } from "./use-corrections.ts";
import { correctionsStrings } from "./corrections.strings.ts";
import { cx } from "../../ui/class-names.ts";
import { BANNER, buttonLook, TOOLS } from "../look.ts";

const text = correctionsStrings;

interface CorrectPanelProps extends PlanProgress {
  readonly corrections: Corrections | undefined;
  readonly problem: unknown;
  readonly onRetry: () => void;
  readonly player: SongPlayer;
  readonly onClose: () => void;
}

/** Panel to correct the analysis: tempo, bars, sections. Corrections are previewed immediately and stored on save. */
export function CorrectPanel(props: CorrectPanelProps) {
  const { corrections, problem, onRetry, player, onClose } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  const focusHeading = (): void => heading.current?.focus();
  return (
    <SideTool title={text.title} titleRef={heading} closeLabel={text.close} onClose={onClose}>
      {corrections ? (
        <>
          <SaveBar {...props} corrections={corrections} focusHeading={focusHeading} />
          <SetAside corrections={corrections} focusHeading={focusHeading} />
          <GridTools corrections={corrections} player={player} />
          <SectionTools corrections={corrections} player={player} />
        </>
      ) : (
        <NotYet problem={problem} notLoaded={text.notLoaded} onRetry={onRetry} />
      )}
    </SideTool>
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
