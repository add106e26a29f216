import type { Event } from "@followspot/contract/event";
import type { Talk } from "@followspot/contract/talk";
import { toDate } from "../lib/formatting.ts";

const MINUTE_MS = 60_000;
/** How long a talk is taken to be, as a rehearsal takes it: talks have no end of their own. */
export const USUAL_TALK_MS = 20 * MINUTE_MS;
/** Talks that begin closer together than this are told. */
const CLOSE_MS = 5 * MINUTE_MS;

/** When something is, or what of it is known. */
export type Span = Pick<Event, "startsAt" | "endsAt">;
type TalkTime = Pick<Talk, "id" | "title" | "startAt" | "userId">;

/** What may be wrong with the start of a talk. It is told, and never forbidden. */
export type TalkWarning =
  | { readonly kind: "early" | "late" }
  | { readonly kind: "same"; readonly title: string }
  | { readonly kind: "close"; readonly title: string; readonly minutes: number; readonly isAfter: boolean }
  /** Its speaker still speaks there, or has to by then. */
  | { readonly kind: "busy"; readonly title: string };

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
  return [outside(startMs, event), nearest(startMs, talk.id, talks), busy(startMs, talk, talks)].filter(
    (warning) => warning !== undefined,
  );
}

/** A talk of the same speaker that is not over by then, or begins before this one is. */
function busy(startMs: number, { id, userId }: Omit<TalkTime, "title">, talks: readonly TalkTime[]) {
  if (!userId) return undefined;
  const other = talks.find((talk) => {
    const at = startOf(talk);
    return talk.id !== id && talk.userId === userId && at !== undefined && Math.abs(at - startMs) < USUAL_TALK_MS;
  });
  return other && ({ kind: "busy", title: other.title } as const);
}

function outside(startMs: number, event: Span | undefined): TalkWarning | undefined {
  const [opens, closes] = [toDate(event?.startsAt), toDate(event?.endsAt)];
  if (opens && startMs < opens.getTime()) return { kind: "early" };
  return closes && startMs >= closes.getTime() ? { kind: "late" } : undefined;
}

/** Of several talks that are too close, the closest. */
function nearest(startMs: number, id: string, talks: readonly TalkTime[]): TalkWarning | undefined {
  const others = talks.flatMap((talk) => {
    const at = startOf(talk);
    return at === undefined || talk.id === id ? [] : [{ title: talk.title, awayMs: startMs - at }];
  });
  const close = others.toSorted((a, b) => Math.abs(a.awayMs) - Math.abs(b.awayMs))[0];
  if (!close || Math.abs(close.awayMs) >= CLOSE_MS) return undefined;
  const { title, awayMs } = close;
  if (awayMs === 0) return { kind: "same", title };
  return { kind: "close", title, minutes: Math.max(1, Math.floor(Math.abs(awayMs) / MINUTE_MS)), isAfter: awayMs > 0 };
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
