import type { LightingPlan, ShowWishes } from "@followspot/contract";
import { clockTime } from "../../lib/formatting.ts";
import type { SongPlayer } from "../player/song-player.ts";
import { buttonLook, MUTED, SMALL_TITLE, TOOL_GROUP, TOOLS } from "../look.ts";
import { rollSection, unrollSection } from "./change-wishes.ts";
import { choiceStrings } from "./choice.strings.ts";
import { useSectionIndex } from "./use-section-index.ts";

const text = choiceStrings.sections;

interface SectionRollProps {
  readonly sections: NonNullable<LightingPlan["sections"]>;
  readonly wishes: ShowWishes;
  readonly player: SongPlayer;
  readonly disabled: boolean;
  readonly onWish: (wishes: ShowWishes) => void;
}

/** Plans the section at the playhead with another seed and leaves the other sections unchanged. */
export function SectionRoll({ sections, wishes, player, disabled, onWish }: SectionRollProps) {
  const index = useSectionIndex(sections, player);
  const section = sections[index];
  const isRolled = wishes.section_seeds[index] !== undefined;
  return (
    <div role="group" aria-labelledby="vz-section-roll" className={TOOL_GROUP}>
      <h3 id="vz-section-roll" className={SMALL_TITLE}>
        {text.title}
      </h3>
      {section && (
        <p className="-mt-1 text-xs">
          {text.at(section.label, clockTime(section.start))} {isRolled && <span className={MUTED}>{text.rolled}</span>}
        </p>
      )}
      <div className={TOOLS}>
        <button
          type="button"
          className={buttonLook({ small: true })}
          disabled={disabled || !section}
          onClick={() => onWish(rollSection(wishes, index, newSeed()))}
        >
          {text.roll}
        </button>
        {isRolled && (
          <button
            type="button"
            className={buttonLook({ small: true })}
            disabled={disabled}
            onClick={() => onWish(unrollSection(wishes, index))}
          >
            {text.asBefore}
          </button>
        )}
      </div>
    </div>
  );
}

/** Returns a random seed, 1 to 2³² − 1. */
const newSeed = (): number => Math.max(1, crypto.getRandomValues(new Uint32Array(1))[0]!);
