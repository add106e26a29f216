import { create } from "@bufbuild/protobuf";
import type { ConnectRouter } from "@connectrpc/connect";
import {
  GuestEventSchema,
  GuestService,
  GuestSongSchema,
  GuestTalkSchema,
  type GuestEvent,
  type GuestSong,
  type GuestTalk,
} from "@followspot/contract/guest";
import { balanceOf } from "../../community/gold/gold.store.ts";
import { attendeeKey } from "../../events/attendee-codes.ts";
import { whyNoCode } from "../../events/doors.ts";
import { codeFor } from "../../events/issued-codes.store.ts";
import { findRegistration } from "../../events/registrations.store.ts";
import { requestsOf } from "../../songs/library/request.routes.ts";
import { readQueue } from "../../songs/queue/show-queue.store.ts";
import { requireCaller } from "../../platform/caller.ts";
import type { Sql } from "../../platform/database/database.ts";
import { notFound, unauthenticated } from "../../platform/errors.ts";
import { imageUrl } from "../../platform/pictures/images.ts";
import { networkOf } from "../../platform/http/network-of.ts";
import { addressKey } from "../../platform/http/rpc.ts";
import { timestampOf } from "../../platform/database/timestamps.ts";
import { viewLimit } from "../../platform/http/view-limit.ts";
import { findUser } from "../../community/users/users.store.ts";
import { eventsAhead, findGuestEvent, playedIn, playingFor, songsFor, talksFor } from "./my-night.store.ts";
import type { GuestEventRow, GuestSongRow, GuestTalkRow } from "./my-night.store.ts";
import type { PublicEvents } from "./public-event.ts";

export interface GuestPorts {
  readonly sql: Sql;
  /** ID of the last published envelope; empty if unknown. */
  readonly newsSince: () => string;
  /** Signs attendee codes. */
  readonly secret: Uint8Array;
  readonly publicEvents: PublicEvents;
  /** Views of public pages per network and minute; fewer in tests. */
  readonly maxViews?: number;
}

/** A full room opens its invitation within one minute behind one address, some of them twice. */
const MAX_VIEWS = 3000;

/** Returns the RPC methods of the attendee page. */
export function guestRoutes({
  sql,
  newsSince,
  secret,
  publicEvents,
  maxViews = MAX_VIEWS,
}: GuestPorts): (router: ConnectRouter) => void {
  const key = attendeeKey(secret);
  const countView = viewLimit(maxViews);
  /** Adds the attendee's code, or the reason why they have none. */
  const withCode = async (row: GuestEventRow, userId: string): Promise<GuestEvent> => {
    const attendee = { eventId: row.id, userId };
    const listed = row.registration === "none" ? undefined : await findRegistration(sql, attendee);
    const codeNote = whyNoCode(row.registration, listed, row.checked_in_at !== null);
    return create(GuestEventSchema, {
      ...toEvent(row),
      ...(codeNote === "" && (await codeFor(sql, key, attendee))),
      codeNote,
      registrationState: listed?.state ?? "",
      placeInLine: listed?.place_in_line ?? 0,
    });
  };

  return (router) =>
    router.service(GuestService, {
      getPublicEvent: async ({ eventId, invitation }, context) => {
        countView(networkOf(context.values.get(addressKey)));
        return { event: await publicEvents.find(eventId, invitation) };
      },

      getMyNight: async ({ eventId }, context) => {
        const { userId } = requireCaller(context);
        const since = newsSince();
        const [user, ahead, balance, requests, queue] = await Promise.all([
          findUser(sql, userId),
          eventsAhead(sql, userId),
          balanceOf(sql, userId),
          requestsOf(sql, userId),
          readQueue(sql),
        ]);
        if (!user) throw unauthenticated();
        const event = eventId === "" ? ahead[0] : await findGuestEvent(sql, eventId, userId);
        if (eventId !== "" && !event) throw notFound("Event", eventId);
        const isPlaying = queue.mode !== "stopped" && queue.song_id !== null;
        const playlistId = requests.playlistId || (isPlaying ? (queue.playlist_id ?? "") : "");
        // Songs of a playlist that is not playing count as not played.
        const run = isPlaying && queue.playlist_id === playlistId ? queue.run : -1n;
        const [shown, talks, playing, songs, playedSongIds] = await Promise.all([
          event && withCode(event, userId),
          event ? talksFor(sql, event.id, userId) : [],
          isPlaying ? playingFor(sql, queue.song_id, queue.playlist_id, userId) : undefined,
          playlistId === "" ? [] : songsFor(sql, playlistId, run, userId),
          playlistId === "" || run < 0n ? [] : playedIn(sql, playlistId, run),
        ]);
        return {
          newsSince: since,
          night: {
            userId,
            userName: user.name,
            photoUrl: imageUrl(user.photo_id),
            balance,
            ...(shown && { event: shown }),
            talks: talks.map(toTalk),
            ...(playing && { playing: toSong(playing) }),
            songs: songs.map(toSong),
            playedSongIds: [...playedSongIds],
            playlistId,
            playingPlaylistId: isPlaying ? (queue.playlist_id ?? "") : "",
            takesRequests: requests.playlistId !== "",
            requestsLeft: requests.left,
            requests: requests.requests,
            upcoming: ahead.filter(({ id }) => id !== event?.id).map(toEvent),
          },
        };
      },
    });
}

const toEvent = (row: GuestEventRow): GuestEvent =>
  create(GuestEventSchema, {
    id: row.id,
    title: row.title,
    location: row.location,
    address: row.address,
    startsAt: timestampOf(row.starts_at),
    endsAt: timestampOf(row.ends_at),
    checkedInAt: timestampOf(row.checked_in_at),
    registration: row.registration,
    places: row.places,
    registered: row.registered,
  });

const toTalk = ({ speaker, start_at, has_feedback, is_on, ...talk }: GuestTalkRow): GuestTalk =>
  create(GuestTalkSchema, {
    ...talk,
    speaker: speaker ?? "",
    startAt: timestampOf(start_at),
    hasFeedback: has_feedback,
    isOn: is_on,
  });

const toSong = ({ has_cover, asked_by, is_ready, is_fixed, ...song }: GuestSongRow): GuestSong =>
  create(GuestSongSchema, {
    ...song,
    coverUrl: has_cover ? `/proxy/songs/${song.id}/cover.webp` : "",
    askedBy: asked_by ?? "",
    isReady: is_ready,
    isFixed: is_fixed,
  });
