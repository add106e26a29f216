import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { RehearsalMoment, RehearseNightResponse } from "@followspot/contract/night";
import { Mic, Music, Pause, Play, Square, Volume1, Volume2 } from "lucide-react";
import { songDuration, timeOfDay } from "../lib/formatting.ts";
import { cx } from "../ui/class-names.ts";
import { nightStrings } from "./night.strings.ts";

const text = nightStrings.rehearsal;
const MARKS = {
  start: Play,
  song: Music,
  pause: Pause,
  quiet: Volume1,
  talk: Mic,
  resume: Play,
  full_volume: Volume2,
  music_end: Square,
  end: Square,
} as const;
type Kind = keyof typeof MARKS;

const kindOf = ({ kind }: RehearsalMoment): Kind => (Object.hasOwn(MARKS, kind) ? (kind as Kind) : "song");
const isSongOrTalk = (kind: Kind): boolean => kind === "song" || kind === "talk";

/** A song and a talk by its title, anything else by what happens. */
export function momentText(moment: RehearsalMoment): string {
  const kind = kindOf(moment);
  return isSongOrTalk(kind) ? moment.title || text.untitled : text.kinds[kind];
}

/** The evening from its start to its end: on one line, and each of its moments below. */
export function EveningBlock({
  rehearsal,
  onMoment,
}: {
  readonly rehearsal: RehearseNightResponse;
  /** Its time was pressed. */
  readonly onMoment: (moment: RehearsalMoment) => void;
}) {
  const { moments, startsAt, endsAt, songsRendered, zone } = rehearsal;
  const [from, to] = [startsAt ? timestampMs(startsAt) : 0, endsAt ? timestampMs(endsAt) : 0];
  return (
    <section aria-label={text.evening} className="shrink-0 overflow-hidden rounded-lg border bg-surface">
      <h2 className="flex flex-wrap justify-between gap-x-3 border-b px-3 py-2 text-xs font-medium text-muted">
        {text.evening} <span>{text.looked(songsRendered)}</span>
      </h2>
      <div className="flex flex-col gap-1 border-b p-3">
        <TimeLine label={text.talksRow} kind="talk" moments={moments} from={from} to={to} />
        <TimeLine label={text.musicRow} kind="song" moments={moments} from={from} to={to} />
        <p className="flex justify-between text-xs text-muted sm:pl-16">
          <span>{timeOfDay(new Date(from), zone)}</span>
          <span>{timeOfDay(new Date(to), zone)}</span>
        </p>
      </div>
      <ol>
        {moments.map((moment, i) => (
          <Line key={i} moment={moment} zone={zone} onPress={() => onMoment(moment)} />
        ))}
      </ol>
    </section>
  );
}

function TimeLine({
  label,
  kind,
  moments,
  from,
  to,
}: {
  readonly label: string;
  readonly kind: "talk" | "song";
  readonly moments: readonly RehearsalMoment[];
  readonly from: number;
  readonly to: number;
}) {
  const share = (ms: number) => `${(100 * Math.min(1, Math.max(0, ms / (to - from)))).toFixed(3)}%`;
  return (
    <div className="flex items-center gap-2">
      <span className="w-14 shrink-0 text-xs text-muted max-sm:hidden">{label}</span>
      <div aria-hidden className="relative h-5 min-w-0 flex-1 overflow-hidden rounded-md bg-raised">
        {moments.map(({ at, kind: what, seconds }, i) => {
          const begins = (at ? timestampMs(at) : 0) - from;
          const lasts = Math.min(seconds * 1000, to - from - begins);
          return (
            what === kind && (
              <span
                key={i}
                className={cx("absolute inset-y-0 border-r border-bg", kind === "talk" ? "bg-warn/50" : "bg-accent/40")}
                style={{ left: share(begins), width: share(lasts) }}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

function Line({
  moment,
  zone,
  onPress,
}: {
  readonly moment: RehearsalMoment;
  readonly zone: string;
  readonly onPress: () => void;
}) {
  const { at, title, by, seconds, gapSeconds } = moment;
  const what = kindOf(moment);
  const Mark = MARKS[what];
  const isThing = isSongOrTalk(what);
  const said = isThing ? [by, gapSeconds < 0 && text.fade(-gapSeconds)] : [what === "start" && title];
  return (
    <li className={cx("flex items-baseline gap-2 border-b px-3 py-1.5 last:border-b-0", !isThing && "text-muted")}>
      <button
        type="button"
        title={text.goThere}
        onClick={onPress}
        className="w-16 shrink-0 text-left text-xs text-muted tabular-nums underline decoration-dotted underline-offset-2 hover:text-fg max-sm:min-h-11"
      >
        {at && timeOfDay(new Date(timestampMs(at)), zone)}
      </button>
      <Mark role="img" aria-label={text.kinds[what]} size={13} className="shrink-0 translate-y-0.5 text-muted" />
      <span className="min-w-0 flex-1 text-sm wrap-anywhere">
        {momentText(moment)}
        <span className="block text-xs text-muted">{said.filter(Boolean).join(" · ")}</span>
      </span>
      {isThing && <span className="text-xs text-muted tabular-nums">{songDuration(seconds)}</span>}
    </li>
  );
}
