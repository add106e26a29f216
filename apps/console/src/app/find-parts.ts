import { DirectorService } from "@followspot/contract/director";
import { EventService } from "@followspot/contract/event";
import { UserService } from "@followspot/contract/user";
import type { NavigateOptions } from "@tanstack/react-router";
import type { Action } from "../auth/can.ts";
import { eventStrings } from "../event/event.strings.ts";
import { dateTime, toDate } from "../lib/formatting.ts";
import { talkStrings } from "../talk/talk.strings.ts";
import { PERSON_TABS, tabsFor } from "../user/person-tabs.ts";
import { userStrings } from "../user/user.strings.ts";
import { MOST_OF_A_KIND, THING_KINDS, type Thing, type ThingKind } from "./find-things.ts";
import { paletteStrings as text } from "./palette.strings.ts";

/** A name, and the wanted part of its item: "friday talks" means the talks of the items that "friday" finds. */
export interface PartQuery {
  /** Prefix of the part's name, in lower case. */
  readonly part: string;
  readonly name: string;
}

/** Minimum length of that prefix. */
const LEAST_LETTERS = 3;

/**
 * Parses a query; undefined if no word names a part, or there is no other word. If several words name a part, the last
 * one counts.
 */
export function partQuery(query: string): PartQuery | undefined {
  const words = query.trim().toLowerCase().split(/\s+/);
  const at = words.findLastIndex((word) => word.length >= LEAST_LETTERS && WORDS.some((each) => each.startsWith(word)));
  return at < 0 || words.length === 1 ? undefined : { part: words[at]!, name: words.toSpliced(at, 1).join(" ") };
}

/** Returns the kinds in which the name is searched: the typed kind, and those that have such a part. */
export const kindsOfQuery = ({ part }: PartQuery): readonly ThingKind[] => [
  ...THING_KINDS.filter(({ name }) => text.things[name].toLowerCase().startsWith(part)),
  ...PART_KINDS,
];

/** Filters the found items by the wanted part. */
export const wantedParts = (things: readonly Thing[], { part }: PartQuery): readonly Thing[] =>
  things.filter(({ id, text: words }) => !id.startsWith(PART) || words.toLowerCase().startsWith(part));

const PART = "part ";
/** The ID contains the destination, because users and events may share a name. */
const asPart = (label: string, owner: string, goal: NavigateOptions, detail: string | undefined): Thing => ({
  id: `${PART}${label} ${JSON.stringify(goal)}`,
  kind: text.kinds.screen,
  text: text.partOf(label, owner),
  ...(detail ? { detail } : {}),
  goal,
});

const EVENT_PARTS: readonly {
  readonly label: string;
  readonly needs?: Action;
  readonly to: (eventId: string) => NavigateOptions;
}[] = [
  { label: talkStrings.title, to: (eventId) => ({ to: "/events/$eventId/talks", params: { eventId } }) },
  {
    label: talkStrings.view.schedule,
    to: (eventId) => ({ to: "/events/$eventId/talks", params: { eventId }, search: { view: "schedule" } }),
  },
  {
    label: eventStrings.registrations,
    needs: EventService.method.registerPerson,
    to: (eventId) => ({ to: "/events/$eventId/registrations", params: { eventId } }),
  },
  {
    label: eventStrings.checkIn,
    needs: EventService.method.scanQr,
    to: (eventId) => ({ to: "/events/$eventId/check-in", params: { eventId } }),
  },
  {
    label: text.stageScreen,
    needs: DirectorService.method.goHome,
    to: (eventId) => ({ to: "/events/$eventId/stage", params: { eventId } }),
  },
];

const PART_KINDS: readonly ThingKind[] = [
  {
    name: "ofEvents",
    method: EventService.method.listEvents,
    find: async (call, query, can) => {
      const list = { query, filter: "active", pageSize: MOST_OF_A_KIND };
      const { events } = await call(EventService.method.listEvents, { list });
      const parts = EVENT_PARTS.filter(({ needs }) => needs === undefined || can(needs));
      return events.flatMap(({ id, title, startsAt, timeZone }) => {
        const starts = toDate(startsAt);
        return parts.map(({ label, to }) => asPart(label, title, to(id), starts && dateTime(starts, timeZone)));
      });
    },
  },
  {
    name: "ofPeople",
    method: UserService.method.listUsers,
    find: async (call, query, can) => {
      const list = { query, filter: "active", pageSize: MOST_OF_A_KIND };
      const { users } = await call(UserService.method.listUsers, { list });
      return users.flatMap(({ id, name, email, phone }) =>
        tabsFor(can).map((tab) =>
          asPart(userStrings.person.tabs[tab], name, { to: "/users", search: { person: id, tab } }, email || phone),
        ),
      );
    },
  },
];

/** Words that name a part, in lower case. */
const WORDS: readonly string[] = [
  ...THING_KINDS.map(({ name }) => text.things[name]),
  ...EVENT_PARTS.map(({ label }) => label),
  ...PERSON_TABS.map((tab) => userStrings.person.tabs[tab]),
].map((word) => word.toLowerCase());
