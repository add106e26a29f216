import { useMemo, type ReactNode } from "react";
import type { HeadPosition, DeskGroup } from "@followspot/contract";
import { useCan } from "../auth/can.ts";
import { LiveStage } from "../lamps/live-stage.tsx";
import { useShowQueue } from "../music/playlists/playlists.queries.ts";
import { RecordingBlock } from "../recordings/recording-block.tsx";
import { useStore } from "../lib/store.ts";
import { useDocumentTitle } from "../ui/page.tsx";
import { EmptyState, Loading } from "../ui/states.tsx";
import { TOUCH } from "../ui/touch.ts";
import { cx } from "../ui/class-names.ts";
import { deskActions, sizeAfter, sizedBy } from "./actions.ts";
import { ColorBlock } from "./color-block.tsx";
import { DeskButton, ownerText } from "./desk-button.tsx";
import { useDeskKeys } from "./desk-keys.ts";
import { shownValue, type DeskView } from "./desk-connection.ts";
import { deskStrings as text } from "./desk.strings.ts";
import { GroupsBlock } from "./groups-block.tsx";
import { HandsBlock } from "./hands-block.tsx";
import { HazeBlock } from "./haze-block.tsx";
import { IdleBlock } from "./idle-block.tsx";
import { ConnectionNotice } from "./connection-notice.tsx";
import { MidiBlock } from "./midi/midi-block.tsx";
import { SoundBlock } from "./sound/sound-block.tsx";
import { PairBlock } from "./pair-block.tsx";
import { PointBlock } from "./point-block.tsx";
import { ShowBlock } from "./show-block.tsx";
import { press, strobeHz, tap, useDesk } from "./use-desk.ts";

const NO_GROUPS: readonly DeskGroup[] = [];
const NO_POSITIONS: readonly HeadPosition[] = [];
const COLUMN = "flex min-w-0 flex-col gap-3";

/** The live desk: manual overrides of the show. Dark in every theme, because it is used in the dark. */
export function DeskPage() {
  const can = useCan();
  useDocumentTitle(text.title);
  return (
    <main className="booth flex min-h-0 flex-1 flex-col bg-bg text-fg">
      <h1 className="sr-only">{text.title}</h1>
      {can("playOnStage") ? <Desk /> : <EmptyState text={text.denied} />}
    </main>
  );
}

function Desk() {
  const view = useDesk();
  const groups = view.state?.groups ?? NO_GROUPS;
  const positions = view.state?.positions ?? NO_POSITIONS;
  const hazers = view.state?.hazers ?? 0;
  const actions = useMemo(() => deskActions(groups, positions, hazers), [groups, positions, hazers]);
  useDeskKeys(actions);
  if (!view.state && view.connection === "connecting") return <Loading />;
  return (
    <>
      <LiveStage place="desk" />
      <div className="min-h-0 flex-1 overflow-auto">
        <div className="mx-auto flex max-w-7xl flex-col gap-3 p-3">
          <ConnectionNotice view={view} />
          <ShowBlock />
          <UnderShow>
            <div className={COLUMN}>
              <Master view={view} />
              <StrobeSpeed />
              <ColorBlock view={view} groups={groups} />
              <IdleBlock view={view} />
            </div>
            <div className={COLUMN}>
              <GroupsBlock view={view} groups={groups} />
              {positions.length > 0 && <PointBlock view={view} groups={groups} positions={positions} />}
              {hazers > 0 && <HazeBlock view={view} />}
              <PairBlock view={view} />
            </div>
            <div className={cx(COLUMN, "md:max-xl:col-span-2")}>
              <HandsBlock view={view} groups={groups} />
              <SoundBlock desk={view} />
              <RecordingBlock />
              <MidiBlock actions={actions} />
              <p className="text-xs text-muted max-md:hidden">{text.keys}</p>
            </div>
          </UnderShow>
        </div>
      </div>
      <Thumbs view={view} />
    </>
  );
}

/** Hides its children until it is known whether a song plays; otherwise they would move under a finger. */
function UnderShow({ children }: { readonly children: ReactNode }) {
  const isComing = useShowQueue().isLoading;
  return (
    <div className={cx("grid items-start gap-3 md:grid-cols-2 xl:grid-cols-3", isComing && "animate-held")}>
      {children}
    </div>
  );
}

/** Main controls within reach of both thumbs; always visible. */
function Thumbs({ view }: { readonly view: DeskView }) {
  const hz = useStore(strobeHz);
  const isBlack = shownValue(view, "blackout") !== undefined;
  const isHeld = shownValue(view, "hold") !== undefined;
  const bpm = shownValue(view, "tempo");
  return (
    <div data-foot-buttons className="shrink-0 border-t bg-surface pb-[env(safe-area-inset-bottom)]">
      <div className="mx-auto grid max-w-7xl gap-2 p-2 md:grid-cols-7">
        <div className="grid grid-cols-3 gap-2 md:contents">
          <DeskButton
            view={view}
            control="blackout"
            label={text.blackout}
            look="danger"
            className={cx(KEY, "max-md:text-sm")}
            onDown={() => press("blackout", isBlack ? null : true)}
          />
          <DeskButton
            view={view}
            control="hold"
            label={text.hold}
            className={cx(KEY, "max-md:text-sm")}
            onDown={() => press("hold", isHeld ? null : true)}
          />
          <DeskButton view={view} control="tempo" onDown={tap} label={text.tap} className={cx(KEY, "max-md:text-sm")}>
            {typeof bpm === "number" ? text.tempo(bpm) : text.tap}
          </DeskButton>
        </div>
        <div className="grid grid-cols-2 gap-2 md:contents">
          <SizeKey view={view} label={text.calmer} by={-1} />
          <SizeKey view={view} label={text.bigger} by={1} />
          <DeskButton
            view={view}
            control="blinder"
            label={text.blinder}
            className={cx(KEY, "text-lg")}
            onDown={() => press("blinder", true)}
            onUp={() => press("blinder", null)}
          />
          <DeskButton
            view={view}
            control="strobe"
            label={text.strobe}
            className={cx(KEY, "text-lg")}
            onDown={() => press("strobe", hz)}
            onUp={() => press("strobe", null)}
          />
        </div>
      </div>
    </div>
  );
}

const KEY = "h-14 md:h-16";

/** A button that changes the show size by a step. Both buttons share one control; the active one shows the holder. */
function SizeKey({ view, label, by }: { readonly view: DeskView; readonly label: string; readonly by: 1 | -1 }) {
  const shown = shownValue(view, "size");
  const steps = sizedBy(shown, by);
  return (
    <DeskButton
      view={steps > 0 ? view : { ...view, state: undefined, waiting: new Map() }}
      control="size"
      label={text.sized(label, steps)}
      isOn={steps > 0}
      className={cx(KEY, "text-lg")}
      onDown={() => press("size", sizeAfter(shown, by))}
    />
  );
}

/** Selects the strobe rate of this console, before the strobe is pressed. */
function StrobeSpeed() {
  const hz = useStore(strobeHz);
  return (
    <section aria-label={text.strobeRate} className="flex flex-col gap-2 rounded-lg border bg-surface p-3">
      <h2 className="text-sm font-semibold text-muted">{text.strobeRate}</h2>
      <div className="flex gap-2">
        {text.rates.map((rate) => (
          <button
            key={rate.hz}
            type="button"
            aria-pressed={hz === rate.hz}
            onClick={() => strobeHz.set(rate.hz)}
            className={cx(
              "h-11 min-w-11 flex-1 rounded-lg border px-1 text-sm whitespace-nowrap",
              hz === rate.hz ? "border-accent text-accent" : "border-border text-muted",
            )}
          >
            {rate.text}
          </button>
        ))}
      </div>
    </section>
  );
}

function Master({ view }: { readonly view: DeskView }) {
  const shown = shownValue(view, "master");
  const level = typeof shown === "number" ? shown : 1;
  const owner = ownerText(view, "master");
  return (
    <section aria-label={text.master} className="flex flex-col gap-1 rounded-lg border bg-surface p-3">
      <div className="flex items-baseline gap-2">
        <h2 className="text-sm font-semibold text-muted">{text.master}</h2>
        <span className="text-lg font-semibold">{text.percent(level)}</span>
        <span className="truncate text-xs text-muted">{owner}</span>
        {shown !== undefined && (
          <button
            type="button"
            onClick={() => press("master", null)}
            aria-label={text.giveBackOf(text.master)}
            className={`${TOUCH} ml-auto min-h-11 border-border bg-raised text-sm`}
          >
            {text.giveBack}
          </button>
        )}
      </div>
      <input
        type="range"
        min={0}
        max={100}
        aria-label={text.master}
        value={Math.round(level * 100)}
        onChange={({ target }) => press("master", Number(target.value) / 100)}
        className="h-12 w-full touch-none accent-accent"
      />
    </section>
  );
}
