import type { Event } from "@followspot/contract/event";
import type { Talk } from "@followspot/contract/talk";
import { toDate } from "../lib/formatting.ts";

const MINUTE_MS = 60_000;
/** How long a talk is taken to be, as a rehearsal takes it: talks have no end of their own. */
export const USUAL_TALK_MS = 20 * MINUTE_MS;

/** When something is, or what of it is known. */
export type Span = Pick<Event, "startsAt" | "endsAt">;
type TalkTime = Pick<Talk, "id" | "title" | "startAt" | "userId">;

/** What may be wrong with the start of a talk. It is told, and never forbidden. */
export type TalkWarning =
  | { readonly kind: "early" | "late" }
  | (Overlap & { readonly kind: "same" })
  | (Overlap & { readonly kind: "close"; readonly minutes: number; readonly isAfter: boolean })
  /** Its speaker still speaks there, or has to by then; another talk is closer. */
  | { readonly kind: "busy"; readonly title: string };

/** With the closest of the talks that would not be over by then, or that begin before this one is. */
interface Overlap {
  readonly title: string;
  /** By the same speaker. */
  readonly isBusy: boolean;
}

/** ms since 1970; undefined for a talk that is not scheduled. */
export const startOf = ({ startAt }: Pick<Talk, "startAt">): number | undefined => toDate(startAt)?.getTime();

/** @param talks of the same event; the talk itself may be among them */
export function warningsOf(
  talk: Omit<TalkTime, "title">,
  talks: readonly TalkTime[],
  event: Span | undefined,
): readonly TalkWarning[] {
  const startMs = startOf(talk);
  if (startMs === undefined) return [];
  const others = overlapping(startMs, talk.id, talks);
  const [closest] = others;
  const busy = others.find(({ userId }) => talk.userId !== undefined && talk.userId !== "" && userId === talk.userId);
  return [
    outside(startMs, event),
    closest && overlap(closest, closest === busy),
    busy && busy !== closest ? ({ kind: "busy", title: busy.title } as const) : undefined,
  ].filter((warning) => warning !== undefined);
}

type Near = TalkTime & { readonly awayMs: number };

/** Talks that are drawn over this one, the closest first. */
function overlapping(startMs: number, id: string, talks: readonly TalkTime[]): readonly Near[] {
  return talks
    .flatMap((talk) => {
      const at = startOf(talk);
      return at === undefined || talk.id === id ? [] : [{ ...talk, awayMs: startMs - at }];
    })
    .filter(({ awayMs }) => Math.abs(awayMs) < USUAL_TALK_MS)
    .toSorted((a, b) => Math.abs(a.awayMs) - Math.abs(b.awayMs));
}

function overlap({ title, awayMs }: Near, isBusy: boolean): TalkWarning {
  if (awayMs === 0) return { kind: "same", title, isBusy };
  const minutes = Math.max(1, Math.floor(Math.abs(awayMs) / MINUTE_MS));
  return { kind: "close", title, isBusy, minutes, isAfter: awayMs > 0 };
}

function outside(startMs: number, event: Span | undefined): TalkWarning | undefined {
  const [opens, closes] = [toDate(event?.startsAt), toDate(event?.endsAt)];
  if (opens && startMs < opens.getTime()) return { kind: "early" };
  return closes && startMs >= closes.getTime() ? { kind: "late" } : undefined;
}

/** Where the next talk of an event goes, in whole minutes: after the last one within it, or to its start. */
export function nextStart(talks: readonly TalkTime[], event: Span | undefined): Date | undefined {
  const opens = toDate(event?.startsAt);
  const closes = toDate(event?.endsAt);
  if (!opens || !closes) return undefined;
  const within = talks
    .map(startOf)
    .filter((at): at is number => at !== undefined && at >= opens.getTime() && at < closes.getTime());
  const next = within.length === 0 ? opens.getTime() : Math.max(...within) + USUAL_TALK_MS;
  return new Date(Math.ceil(next / MINUTE_MS) * MINUTE_MS);
}
