import type { TempoFactor } from "@followspot/contract";
import { useKeys } from "../../lib/use-keys.ts";
import type { SongPlayer } from "../player/song-player.ts";
import { TAP_KEYS } from "./corrections.keys.ts";
import type { Corrections } from "./use-corrections.ts";
import { useTaps } from "./use-taps.ts";
import { correctionsStrings } from "./corrections.strings.ts";
import { cx } from "../../ui/class-names.ts";
import { buttonLook, KEY, MUTED, SELECT, SMALL_TITLE, TOOL_GROUP, TOOLS } from "../look.ts";

const text = correctionsStrings.grid;

const FACTORS: Readonly<Record<TempoFactor, number>> = { "2": 2, "1/2": 1 / 2, "3/2": 3 / 2, "2/3": 2 / 3 };
const FACTOR_ORDER: readonly TempoFactor[] = ["1/2", "2", "2/3", "3/2"];
const MOST_BEATS = 12;

/** Tools for the tempo, the first beat and the length of the bar. */
export function GridTools({ corrections, player }: { readonly corrections: Corrections; readonly player: SongPlayer }) {
  const { preview, fits, edit } = corrections;
  const { tap, text: said } = useTaps(player, corrections);
  useKeys(TAP_KEYS, { tap });
  const hasBeats = preview.beats.length > 1;
  return (
    <>
      <div role="group" aria-labelledby="vz-tempo-tools" className={TOOL_GROUP}>
        <h3 id="vz-tempo-tools" className={SMALL_TITLE}>
          {text.tempo} <span className={MUTED}>{hasBeats ? text.bpm(preview.tempo) : text.noBeats}</span>
        </h3>
        <div className={TOOLS}>
          {FACTOR_ORDER.map((factor) => {
            const [sign, words] = text.factors[factor];
            const next = preview.tempo * FACTORS[factor];
            return (
              <button
                key={factor}
                type="button"
                className={buttonLook({ small: true })}
                title={words}
                disabled={!fits || !hasBeats || next < 20 || next > 400}
                onClick={() => edit({ kind: "tempo", factor })}
              >
                {sign}
                <span className="sr-only"> {words}</span>
              </button>
            );
          })}
        </div>
        <div className={TOOLS}>
          <button type="button" className={cx(buttonLook(), "min-w-21")} aria-keyshortcuts="T" onClick={tap}>
            {text.tap} <kbd className={KEY}>T</kbd>
          </button>
          <span role="status" className={cx("text-[12px]", !said && MUTED)}>
            {said || text.tapHint}
          </span>
        </div>
      </div>
      <div role="group" aria-labelledby="vz-bar-tools" className={TOOL_GROUP}>
        <h3 id="vz-bar-tools" className={SMALL_TITLE}>
          {text.firstBeat}
        </h3>
        <div className={TOOLS}>
          {([-1, 1] as const).map((beats) => (
            <button
              key={beats}
              type="button"
              className={buttonLook({ small: true })}
              disabled={!fits || !hasBeats}
              onClick={() => edit({ kind: "downbeat", beats })}
            >
              {beats < 0 ? text.earlier : text.later}
              <span className="sr-only">{text.byOneBeat}</span>
            </button>
          ))}
          <label className="flex items-center gap-1.5 text-[12px]">
            <select
              className={SELECT}
              aria-label={text.beatsPerBar}
              value={preview.grid.beats_per_bar}
              disabled={!fits || !hasBeats}
              onChange={(event) => edit({ kind: "bar", beats: Number(event.target.value) })}
            >
              {Array.from({ length: Math.max(MOST_BEATS, preview.grid.beats_per_bar) }, (_, i) => (
                <option key={i} value={i + 1}>
                  {i + 1}
                </option>
              ))}
            </select>
            <span className={MUTED}>{text.perBar}</span>
          </label>
        </div>
      </div>
    </>
  );
}
