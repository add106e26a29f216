import type { DescMethodUnary } from "@bufbuild/protobuf";
import { DirectorService } from "@followspot/contract/director";
import { EventService } from "@followspot/contract/event";
import { LightsService } from "@followspot/contract/lights";
import { MusicService } from "@followspot/contract/music";
import { TalkService } from "@followspot/contract/talk";
import { UserService } from "@followspot/contract/user";
import type { NavigateOptions } from "@tanstack/react-router";
import type { Action } from "../auth/can.ts";
import { dateTime, toDate } from "../lib/formatting.ts";
import type { Call } from "../lib/list-source.ts";
import { paletteStrings as text } from "./palette.strings.ts";

/** An item found on the server. */
export interface Thing {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  /** Detail that distinguishes items with the same name. */
  readonly detail?: string;
  /** Destination that shows the item. */
  readonly goal: NavigateOptions;
}

/** A kind of item, searched through its list method. Users who may not list the kind get no results for it. */
export interface ThingKind {
  readonly name: keyof typeof text.things;
  readonly method: DescMethodUnary;
  readonly find: (call: Call, query: string, can: (action: Action) => boolean) => Promise<readonly Thing[]>;
}

/** Maximum number of results per kind. */
export const MOST_OF_A_KIND = 5;
const { kinds } = text;

export const THING_KINDS: readonly ThingKind[] = [
  {
    name: "people",
    method: UserService.method.listUsers,
    find: async (call, query) => {
      const list = { query, filter: "active", pageSize: MOST_OF_A_KIND };
      const { users } = await call(UserService.method.listUsers, { list });
      return users.map(({ id, name, email, phone }) => ({
        id: `person ${id}`,
        kind: kinds.person,
        text: name,
        detail: email || phone,
        goal: { to: "/users", search: { person: id } },
      }));
    },
  },
  {
    name: "events",
    method: EventService.method.listEvents,
    find: async (call, query, can) => {
      const list = { query, filter: "active", pageSize: MOST_OF_A_KIND };
      const { events } = await call(EventService.method.listEvents, { list });
      const toEvent = (id: string, title: string): NavigateOptions =>
        can(EventService.method.updateEvent)
          ? { to: "/events", search: { open: `edit.${id}` } }
          : { to: "/events", search: { q: title } };
      const whenOf = (event: (typeof events)[number]) => {
        const starts = toDate(event.startsAt);
        return starts && dateTime(starts, event.timeZone);
      };
      return [
        ...events.map((event) => ({
          id: `event ${event.id}`,
          kind: kinds.event,
          text: event.title,
          ...detailOf(whenOf(event)),
          goal: toEvent(event.id, event.title),
        })),
        ...(can(DirectorService.method.goHome) ? events : []).map((event) => ({
          id: `stage ${event.id}`,
          kind: kinds.screen,
          text: text.stageScreenOf(event.title),
          ...detailOf(whenOf(event)),
          goal: { to: "/events/$eventId/stage", params: { eventId: event.id } } as const,
        })),
      ];
    },
  },
  {
    name: "talks",
    method: TalkService.method.listTalks,
    find: async (call, query, can) => {
      const { talks } = await call(TalkService.method.listTalks, { list: { query, pageSize: MOST_OF_A_KIND } });
      return talks.flatMap(({ id, title, userName, eventId }) =>
        eventId === undefined
          ? []
          : {
              id: `talk ${id}`,
              kind: kinds.talk,
              text: title || text.noTitle,
              ...detailOf(userName),
              goal: {
                to: "/events/$eventId/talks",
                params: { eventId },
                search: can(TalkService.method.updateTalk) ? { open: `edit.${id}` } : { q: title },
              } as const,
            },
      );
    },
  },
  {
    name: "songs",
    method: MusicService.method.listSongs,
    find: async (call, query) => {
      const { songs } = await call(MusicService.method.listSongs, { list: { query, pageSize: MOST_OF_A_KIND } });
      return songs.map(({ id, title, artist }) => ({
        id: `song ${id}`,
        kind: kinds.song,
        text: title,
        ...detailOf(artist),
        goal: { to: "/music/$id/visualizer", params: { id } },
      }));
    },
  },
  {
    name: "lights",
    method: LightsService.method.listLights,
    find: async (call, query, can) => {
      const { lights } = await call(LightsService.method.listLights, { list: { query, pageSize: MOST_OF_A_KIND } });
      return lights.map(({ id, label, position, dmxAddress }) => ({
        id: `light ${id}`,
        kind: kinds.light,
        text: label || text.noLabel,
        detail: text.lightAt(position, dmxAddress),
        goal: {
          to: "/lights",
          search: can(LightsService.method.updateLight) ? { open: `edit.${id}` } : { q: label },
        },
      }));
    },
  },
  {
    name: "playlists",
    method: MusicService.method.listPlaylists,
    find: async (call, query) => {
      // Playlists are few and are returned in one answer.
      const { playlists } = await call(MusicService.method.listPlaylists, {});
      const words = query.toLowerCase().split(/\s+/);
      return playlists
        .filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
        .slice(0, MOST_OF_A_KIND)
        .map(({ id, name, songs }) => ({
          id: `playlist ${id}`,
          kind: kinds.playlist,
          text: name,
          detail: text.songs(songs.length),
          goal: { to: "/music/playlists", search: { playlist: id } },
        }));
    },
  },
];

const detailOf = (detail: string | undefined) => (detail ? { detail } : {});
