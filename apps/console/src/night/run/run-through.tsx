import type { RehearseNightResponse } from "@followspot/contract/night";
import { compilePreview, litByShow } from "@followspot/lighting";
import { Pause, Play, SkipBack, SkipForward } from "lucide-react";
import { useEffect, useMemo, useState, type ReactNode } from "react";
import { LookChoice } from "../../lamps/look-choice.tsx";
import { StageDrawing } from "../../lamps/stage-drawing.tsx";
import { useStageLook } from "../../lamps/use-stage-look.ts";
import { clockTime, timeOfDay } from "../../lib/formatting.ts";
import { useStore } from "../../lib/store.ts";
import { Button } from "../../ui/button.tsx";
import { CheckboxField } from "../../ui/fields.tsx";
import { Segments } from "../../ui/segments.tsx";
import { StageStatus } from "../../visualizer/player/stage-status.tsx";
import { READING_RIG, useLightingPlan, useRig } from "../../visualizer/visualizer.queries.ts";
import { EveningBlock, momentText } from "../evening-block.tsx";
import { nightStrings } from "../night.strings.ts";
import { mapEvening, momentMs, type EveningMap, type EveningPlace } from "./evening-map.ts";
import { EveningRun, FASTEST_LIVE, SPEEDS, type RunSpeed } from "./evening-run.ts";

const text = nightStrings.run;
/** An arrow key on the line of the evening. */
const ARROW_SECONDS = 10;

/** The walk through the evening: its light in a preview and, if wanted, on the lamps; any moment of it at a press. */
export function RunThrough({
  rehearsal,
}: {
  /** Stays the same as long as this is shown. */
  readonly rehearsal: RehearseNightResponse;
}) {
  const [map] = useState(() => mapEvening(rehearsal));
  const [run] = useState(() => new EveningRun(map));
  useEffect(() => {
    const leave = (): void => run.close();
    addEventListener("pagehide", leave);
    return () => {
      removeEventListener("pagehide", leave);
      leave();
    };
  }, [run]);
  return (
    <>
      <section aria-label={text.title} className="shrink-0 overflow-hidden rounded-lg border bg-surface">
        <h2 className="border-b px-3 py-2 text-xs font-medium text-muted">{text.title}</h2>
        <Picture run={run} />
        <Controls run={run} map={map} zone={rehearsal.zone} />
      </section>
      <EveningBlock rehearsal={rehearsal} onMoment={(moment) => run.seek(momentMs(moment))} />
    </>
  );
}

/** The stage as the evening lights it. */
function Picture({ run }: { readonly run: EveningRun }) {
  const { place } = useStore(run.view);
  const plan = useLightingPlan(place.song?.songId ?? "");
  const coming = place.next?.kind === "song" ? place.next.songId : "";
  useLightingPlan(coming); // is there when its song begins
  const rig = useRig().data ?? READING_RIG;
  const show = place.song && plan.data;
  const lit = useMemo(() => show && litByShow(compilePreview(show, rig.rig), rig.rig), [show, rig]);
  const { look, isPossible, choose, lose } = useStageLook();
  return (
    <figure className="booth vz-stage relative h-[clamp(10rem,32dvh,22rem)] overflow-hidden border-b text-fg">
      <StageDrawing rig={rig.rig} lit={lit} clock={run} look={look} onLost={lose} />
      {isPossible && <LookChoice look={look} onChoose={choose} />}
      <figcaption className="pointer-events-none absolute bottom-1.5 left-3 flex flex-wrap gap-x-3 text-xs text-muted">
        {!place.song && text.noMusic}
        {place.song && plan.isError && <span className="text-warn">{text.noPlan(plan.error.message)}</span>}
        {rig.standsIn && <span className="text-warn">{text.demoRig[rig.standsIn]}</span>}
      </figcaption>
    </figure>
  );
}

function Controls({ run, map, zone }: { readonly run: EveningRun; readonly map: EveningMap; readonly zone: string }) {
  const { isPlaying, speed, at, place, lamps } = useStore(run.view);
  const before = map.moments.findLast((moment) => momentMs(moment) < at - 1000);
  const says = whatIsOn(place);
  const time = timeOfDay(new Date(at), zone);
  return (
    <div className="flex flex-col gap-3 p-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <p className="min-w-0 text-sm wrap-anywhere">
          <span className="mr-2 font-mono tabular-nums">{time}</span>
          {says}
          {place.song && <span className="ml-2 text-xs text-muted tabular-nums">{clockTime(place.position)}</span>}
        </p>
        {place.next && (
          <p className="text-xs text-muted">
            {text.next(timeOfDay(new Date(momentMs(place.next)), zone), momentText(place.next))}
          </p>
        )}
      </div>
      <input
        type="range"
        aria-label={text.position}
        aria-valuetext={`${time}, ${says}`}
        min={0}
        max={Math.round((map.to - map.from) / 1000)}
        step={ARROW_SECONDS}
        value={Math.round((at - map.from) / 1000)}
        onChange={({ target }) => run.seek(map.from + Number(target.value) * 1000)}
        className="w-full accent-(--accent)"
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button
          large
          aria-label={text.back}
          disabled={!before}
          onClick={() => run.seek(before ? momentMs(before) : map.from)}
        >
          <SkipBack aria-hidden size={16} />
        </Button>
        <Button large variant="primary" onClick={() => (isPlaying ? run.pause() : run.play())}>
          {isPlaying ? <Pause aria-hidden size={16} /> : <Play aria-hidden size={16} />}
          {isPlaying ? text.pause : text.play}
        </Button>
        <Button
          large
          aria-label={text.forward}
          disabled={!place.next}
          onClick={() => place.next && run.seek(momentMs(place.next))}
        >
          <SkipForward aria-hidden size={16} />
        </Button>
        <Segments
          label={text.speed}
          segments={SPEEDS.map((each) => ({ value: String(each), label: text.times(each) }))}
          value={String(speed)}
          onChange={(value) => run.setSpeed(Number(value) as RunSpeed)}
        />
        <CheckboxField
          label={text.onLamps}
          checked={lamps !== undefined}
          onChange={({ target }) => run.lightLamps(target.checked)}
        />
        {lamps && place.song && (
          <p role="status" className="flex items-center gap-2 text-xs">
            <StageStatus stage={lamps} onTakeOver={() => run.takeOver()} />
          </p>
        )}
      </div>
      {speed > FASTEST_LIVE && <Hint>{text.inSteps}</Hint>}
      {lamps && <Hint>{text.lampsHint}</Hint>}
    </div>
  );
}

const Hint = ({ children }: { readonly children: ReactNode }) => <p className="text-xs text-muted">{children}</p>;

function whatIsOn({ talk, song }: EveningPlace): string {
  const shown = talk ?? song;
  if (!shown) return text.nothing;
  return [shown.title || text.untitled, shown.by].filter(Boolean).join(" · ");
}
