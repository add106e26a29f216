import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { topicsOf } from "@followspot/contract";
import { SongRequestSchema, type MusicService, type SongRequest } from "@followspot/contract/music";
import { requireCaller, type Caller } from "../../platform/caller.ts";
import { change, done, type Done, type Entry } from "../../platform/database/change.ts";
import type { Db, Sql, Tx } from "../../platform/database/database.ts";
import { alreadyExists, conflict, overLimit, invalid, missing, notFound, waitText } from "../../platform/errors.ts";
import { timestampOf } from "../../platform/database/timestamps.ts";
import { importLinkIn } from "./import-song.ts";
import { addSong, lockPlaylistOf, playlistEntry, readPlaylist, requireRoom } from "../queue/playlist.routes.ts";
import { setVote, wasPlayed } from "../queue/playlists.store.ts";
import { lockQueue } from "../queue/show-queue.store.ts";
import * as store from "../queue/song-requests.store.ts";
import type { NamedSongRequestRow, SongRequestRow } from "../queue/song-requests.store.ts";
import { findSong, findSongByLink, findSongByVideo, lockSong } from "../catalog/songs.store.ts";
import { parseLink, refuseLink } from "../processing/video-link.ts";

/** Most songs that a user may request within REQUEST_HOURS. */
export const MOST_REQUESTS = 6;
const REQUEST_HOURS = 12;

interface RequestPorts {
  readonly sql: Sql;
  readonly linkSites: readonly string[];
  /** Called with each imported song. */
  readonly onImported: (songId: string) => void;
}

/**
 * Methods for song requests by members: for the one playlist that accepts them, added immediately or after approval.
 */
export function requestMethods({ sql, linkSites, onImported }: RequestPorts) {
  /**
   * Adds the song of a waiting request to its playlist. A link is imported in the same change, so that a request which is
   * withdrawn at that moment leaves no song; importing a link twice yields the same song.
   */
  const take = async (caller: Caller, requestId: string): Promise<SongRequest> => {
    const asked = await store.findRequest(sql, requestId);
    if (!asked) throw notFound("Request", requestId);
    if (asked.state !== "waiting") throw decided(asked);
    let imported: string | undefined;
    const request = await change(sql, caller, async (tx) => {
      if (asked.user_id !== null) await holdPerson(tx, asked.user_id);
      const created = asked.song_id === null ? await importLinkIn(tx, asked.link, linkSites) : undefined;
      const songId = asked.song_id ?? created!.answer.song.id; // one of both exists
      imported = created?.answer.isNew ? songId : undefined;
      const song = await lockSong(tx, songId);
      if (!song) throw notFound("Song", songId);
      const playlist = await lockPlaylistOf(tx, asked.playlist_id);
      const row = await lockWaiting(tx, requestId);
      await store.decideRequest(tx, row.id, { state: "taken", song_id: song.id, note: "" });
      const added = await addWithVote(tx, playlist, song, row.user_id);
      const after = { song: song.title, playlist: playlist.name };
      const entry = { ...askedEntry(row.id, "taken", row.user_id), isMembersOwn: false, after };
      return done(await readRequest(tx, row.id), ...(created?.entries ?? []), entry, added);
    });
    if (imported !== undefined) onImported(imported);
    return request;
  };

  return {
    listSongRequests: async (_request, context) => {
      const caller = requireCaller(context);
      return requestsOf(sql, caller.userId, mayDecide(caller));
    },

    requestSong: async ({ songId, link }, context) => {
      const caller = requireCaller(context);
      const wanted = await readSongOrLink(sql, songId, link, linkSites);
      const booked = await change(sql, caller, async (tx): Promise<Done<Booked>> => {
        await holdPerson(tx, caller.userId);
        const song = wanted.song_id === null ? undefined : await lockSong(tx, wanted.song_id);
        const open = await store.playlistForRequests(tx);
        if (!open) throw conflict("No songs can be asked for right now");
        const playlist = await lockPlaylistOf(tx, open.id);
        if (playlist.requests === "closed") throw conflict("No songs can be asked for right now");
        const left = await leftOf(tx, caller.userId);
        const place = [playlist.id, song?.id ?? "", caller.userId] as const;
        if (song && (await wasPlayed(tx, playlist.id, song.id)))
          return done({ left, isLinkToTake: false, wasPlayed: true });
        const vote = await setVote(tx, place, true);
        if (vote) return done({ left, isLinkToTake: false }, ...(vote.changed ? [voted(place, vote.votes)] : []));
        if (left === 0) throw askedOften(await store.secondsUntilOneLess(tx, caller.userId, REQUEST_HOURS));
        await requireRoom(tx, playlist);
        if (await store.waitsFor(tx, playlist.id, caller.userId, song?.id ?? wanted.link))
          throw alreadyExists("You have asked for this song already");
        const isOpen = playlist.requests === "open";
        const state = isOpen && song ? ("taken" as const) : ("waiting" as const);
        const row = { playlist_id: playlist.id, state, song_id: song?.id ?? null, link: wanted.link };
        const id = await store.insertRequest(tx, { ...row, user_id: caller.userId });
        const added = isOpen && song ? [await addWithVote(tx, playlist, song, caller.userId)] : [];
        const answer = { request: await readRequest(tx, id), left: left - 1, isLinkToTake: isOpen && !song };
        return done(answer, askedEntry(id, "created", caller.userId), ...added);
      });
      const { request, left, isLinkToTake } = booked;
      // The request is stored before anything is downloaded, so that concurrent requests count against the limit.
      return isLinkToTake && request
        ? { request: await take(caller, request.id), left }
        : { left, wasPlayed: booked.wasPlayed ?? false, ...(request && { request }) };
    },

    withdrawSongRequest: ({ requestId }, context) =>
      change(sql, requireCaller(context), async (tx) => {
        const row = await store.lockRequest(tx, requestId);
        if (row?.user_id !== requireCaller(context).userId) throw missing("You have not asked for this song");
        if (row.state !== "waiting") throw conflict("It is decided already");
        await store.removeRequest(tx, row.id);
        return done({ success: true }, {
          noun: "song_request",
          id: row.id,
          verb: "withdrawn",
          isMembersOwn: true,
        } satisfies Entry);
      }),

    decideSongRequest: async ({ requestId, isTaken, note }, context) => {
      const caller = requireCaller(context);
      if (isTaken) return { request: await take(caller, requestId) };
      return change(sql, caller, async (tx) => {
        const row = await lockWaiting(tx, requestId);
        await store.decideRequest(tx, row.id, { state: "refused", song_id: row.song_id, note: note.trim() });
        const request = await readRequest(tx, row.id);
        const after = { song: request.title, note: note.trim() };
        return done({ request }, { ...askedEntry(row.id, "refused", row.user_id), isMembersOwn: false, after });
      });
    },

    setSongRequests: ({ playlistId, requests }, context) =>
      change(sql, requireCaller(context), async (tx) => {
        await lockQueue(tx); // serializes concurrent choices of two playlists
        const other = requests === "closed" ? undefined : await store.playlistForRequests(tx);
        const closed = other && other.id !== playlistId ? [await close(tx, other.id)] : [];
        const before = await lockPlaylistOf(tx, playlistId);
        await store.setRequests(tx, before.id, requests);
        const playlist = await lockPlaylistOf(tx, before.id);
        const kept = { before: { requests: before.requests }, after: { requests: playlist.requests } };
        return done(
          { playlist: await readPlaylist(tx, playlist, requireCaller(context).userId) },
          playlistEntry(playlist, "updated", kept),
          ...closed,
        );
      }),
  } satisfies Partial<ServiceImpl<typeof MusicService>>;
}

/**
 * Returns the requests of the last day, their playlist, and the number of songs a user may still request.
 * @param ofAll include requests by other users
 */
export async function requestsOf(sql: Sql, userId: string, ofAll = false) {
  const [rows, playlist, left] = await Promise.all([
    store.recentRequests(sql, ofAll ? null : userId),
    store.playlistForRequests(sql),
    leftOf(sql, userId),
  ]);
  return { requests: rows.map(toRequest), playlistId: playlist?.id ?? "", left };
}

/** A stored request; undefined if the song was already on the playlist and received a vote. */
interface Booked {
  readonly request?: SongRequest;
  readonly left: number;
  /** Whether the playlist is open and the link of the request must still be imported. */
  readonly isLinkToTake: boolean;
  /** Whether the song was played already in this run, so that it got no vote. */
  readonly wasPlayed?: boolean;
}

const mayDecide = ({ roles }: Caller) => roles.includes("Admin") || roles.includes("Director");

const askedOften = (secondsLeft: number) =>
  overLimit(
    `You have asked for ${MOST_REQUESTS} songs in the last ${REQUEST_HOURS} hours. Vote for those that are there, or ask again in ${waitText(secondsLeft)}.`,
    MOST_REQUESTS,
    secondsLeft,
  );

/**
 * Builds an entry whose event goes to the operators and the requester only, so that other users' phones reload nothing.
 */
const askedEntry = (id: string, verb: string, userId: string | null): Entry => ({
  noun: "song_request",
  id,
  verb,
  topics: [...topicsOf("song_request", id), ...(userId === null ? [] : [`user.${userId}`])],
  isMembersOwn: true,
});

/** @throws not_found, or failed_precondition if the request was already decided */
async function lockWaiting(tx: Tx, id: string): Promise<SongRequestRow> {
  const row = await store.lockRequest(tx, id);
  if (!row) throw notFound("Request", id);
  if (row.state !== "waiting") throw decided(row);
  return row;
}

async function close(tx: Tx, playlistId: string): Promise<Entry> {
  const before = await lockPlaylistOf(tx, playlistId);
  await store.setRequests(tx, before.id, "closed");
  return playlistEntry(before, "updated", { before: { requests: before.requests }, after: { requests: "closed" } });
}

const decided = ({ state }: { readonly state: string }) =>
  conflict(state === "taken" ? "This request was taken already" : "This request was refused already");

const leftOf = async (db: Db, userId: string): Promise<number> =>
  Math.max(0, MOST_REQUESTS - (await store.countAsked(db, userId, REQUEST_HOURS)));

/** Locks the user's row, which serializes their requests so that they are counted correctly. */
async function holdPerson(tx: Tx, id: string): Promise<void> {
  await tx`select from users where id = ${id} for no key update`;
}

/** Resolves a request: a song in the library, or a link that could be imported. */
async function readSongOrLink(sql: Sql, songId: string, link: string, sites: readonly string[]) {
  if (songId !== "") {
    if (link.trim() !== "") throw invalid("Give a song or a link, not both");
    if (!(await findSong(sql, songId))) throw notFound("Song", songId);
    return { song_id: songId, link: "" };
  }
  if (link.trim() === "") throw invalid("Choose a song, or paste a link to one");
  const read = parseLink(link, sites);
  if (!read) throw invalid(refuseLink(link));
  const known = await (read.kind === "video" ? findSongByVideo(sql, read.ytid) : findSongByLink(sql, read.url));
  return known ? { song_id: known.id, link: "" } : { song_id: null, link: read.url };
}

/** Adds the song to the playlist, with the vote of its requester. */
async function addWithVote(
  tx: Tx,
  playlist: Awaited<ReturnType<typeof lockPlaylistOf>>,
  song: { readonly id: string; readonly title: string },
  userId: string | null,
): Promise<Entry> {
  await addSong(tx, playlist, song.id);
  if (userId !== null) await setVote(tx, [playlist.id, song.id, userId], true);
  return playlistEntry(playlist, "updated", { after: { added: song.title } });
}

const voted = ([playlistId, songId]: readonly [string, string, string], votes: number): Entry => ({
  noun: "playlist",
  id: playlistId,
  verb: "voted",
  payload: { song_id: songId, votes },
  isMembersOwn: true,
});

async function readRequest(db: Db, id: string): Promise<SongRequest> {
  return toRequest((await store.findRequest(db, id))!); // stored a moment ago in this transaction, which holds its lock
}

function toRequest(row: NamedSongRequestRow): SongRequest {
  return create(SongRequestSchema, {
    id: row.id,
    playlistId: row.playlist_id,
    state: row.state,
    songId: row.song_id ?? "",
    title: row.title ?? row.link,
    artist: row.artist ?? "",
    link: row.link,
    note: row.note || row.fault,
    isReady: row.is_ready,
    userId: row.user_id ?? "",
    userName: row.user_name ?? "",
    askedAt: timestampOf(row.asked_at),
  });
}
