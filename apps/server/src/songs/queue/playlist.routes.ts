import type { ServiceImpl } from "@connectrpc/connect";
import type { MusicService } from "@followspot/contract/music";
import { requireCaller } from "../../platform/caller.ts";
import { change, done, type Entry } from "../../platform/database/change.ts";
import type { Db, Sql, Tx } from "../../platform/database/database.ts";
import { exhausted, invalid, notFound } from "../../platform/errors.ts";
import { newId } from "../../platform/database/ids.ts";
import { timestampOf } from "../../platform/database/timestamps.ts";
import * as store from "./playlists.store.ts";
import type { PlaceRow, PlaylistRow } from "./playlists.store.ts";
import { lockQueue, readQueue } from "./show-queue.store.ts";
import { requireNotPlaying } from "./what-plays.ts";
import { findSong, findSongs, lockSong, songFromRow } from "../catalog/songs.store.ts";

const MOST_PLAYLISTS = 500;
/** Most songs on a playlist; more than a night needs. */
const MOST_SONGS = 500;
/** Default level of walk-in music, dB relative to shows, so that people can talk over it. */
const WALK_IN_DB = -6;

/** Methods for playlists: songs in manual order, or ordered by votes. */
export function playlistMethods({ sql }: { readonly sql: Sql }) {
  return {
    listPlaylists: async (_request, context) => ({
      playlists: await toMessages(sql, await store.listPlaylists(sql), requireCaller(context).userId),
    }),

    getPlaylist: async ({ playlistId }, context) => {
      const playlist = await store.findPlaylist(sql, playlistId);
      if (!playlist) throw notFound("Playlist", playlistId);
      return { playlist: await readPlaylist(sql, playlist, requireCaller(context).userId) };
    },

    createPlaylist: ({ name }, context) =>
      change(sql, requireCaller(context), async (tx) => {
        const caller = requireCaller(context);
        if ((await store.listPlaylists(tx)).length >= MOST_PLAYLISTS)
          throw exhausted(`There are ${MOST_PLAYLISTS} playlists already. Delete one first.`);
        const id = newId();
        await store.insertPlaylist(tx, id, nameOf(name), caller.userId);
        const playlist = await lockPlaylistOf(tx, id);
        return done(
          { playlist: await readPlaylist(tx, playlist, caller.userId) },
          playlistEntry(playlist, "created", { after: { name: playlist.name } }),
        );
      }),

    renamePlaylist: ({ playlistId, name }, context) =>
      change(sql, requireCaller(context), async (tx) => {
        const before = await lockPlaylistOf(tx, playlistId);
        await store.renamePlaylist(tx, before.id, nameOf(name));
        const playlist = await lockPlaylistOf(tx, before.id);
        return done(
          { playlist: await readPlaylist(tx, playlist, requireCaller(context).userId) },
          playlistEntry(playlist, "updated", { before: { name: before.name }, after: { name: playlist.name } }),
        );
      }),

    setPlaylistTransition: ({ playlistId, gapSeconds, fadeSeconds }, context) =>
      change(sql, requireCaller(context), async (tx) => {
        const before = await lockPlaylistOf(tx, playlistId);
        await store.setTransition(tx, before.id, gapSeconds, fadeSeconds);
        const playlist = await lockPlaylistOf(tx, before.id);
        return done(
          { playlist: await readPlaylist(tx, playlist, requireCaller(context).userId) },
          playlistEntry(playlist, "updated", { before: transitionOf(before), after: transitionOf(playlist) }),
        );
      }),

    setPlaylistOrder: ({ playlistId, songIds }, context) =>
      change(sql, requireCaller(context), async (tx) => {
        const playlist = await lockPlaylistOf(tx, playlistId);
        const { userId } = requireCaller(context);
        const before = await readPlaylist(tx, playlist, userId);
        await store.setOrder(tx, playlist.id, songIds);
        const after = await readPlaylist(tx, playlist, userId);
        return done(
          { playlist: after },
          playlistEntry(playlist, "updated", { before: orderOf(before), after: orderOf(after) }),
        );
      }),

    setWalkIn: ({ playlistId, isWalkIn, levelDb }, context) =>
      change(sql, requireCaller(context), async (tx) => {
        await lockQueue(tx); // serializes concurrent choices of two playlists
        const other = await store.findWalkIn(tx);
        const replaced = isWalkIn && other && other.id !== playlistId ? [other.id] : [];
        const held = new Map<string, PlaylistRow>();
        for (const id of [playlistId, ...replaced].toSorted()) held.set(id, await lockPlaylistOf(tx, id));
        for (const id of replaced) await store.setWalkIn(tx, id, null);
        const before = held.get(playlistId)!; // locked above
        await store.setWalkIn(tx, before.id, isWalkIn ? (levelDb ?? before.walk_in_db ?? WALK_IN_DB) : null);
        const playlist = await lockPlaylistOf(tx, before.id);
        return done(
          { playlist: await readPlaylist(tx, playlist, requireCaller(context).userId) },
          playlistEntry(playlist, "updated", { before: walkInOf(before), after: walkInOf(playlist) }),
          ...replaced.map((id) =>
            playlistEntry(held.get(id)!, "updated", { before: walkInOf(held.get(id)!), after: { walk_in_db: null } }),
          ),
        );
      }),

    deletePlaylist: ({ playlistId }, context) =>
      change(sql, requireCaller(context), async (tx) => {
        await requireNotPlaying(tx, "playlist", playlistId);
        const playlist = await lockPlaylistOf(tx, playlistId);
        await store.deletePlaylist(tx, playlist.id);
        return done({ success: true }, playlistEntry(playlist, "deleted", { before: { name: playlist.name } }));
      }),

    addSongToPlaylist: ({ playlistId, songId }, context) =>
      change(sql, requireCaller(context), async (tx) => {
        const song = await lockSong(tx, songId);
        if (!song) throw notFound("Song", songId);
        const playlist = await lockPlaylistOf(tx, playlistId);
        const isNew = await addSong(tx, playlist, songId);
        const answer = { playlist: await readPlaylist(tx, playlist, requireCaller(context).userId) };
        return isNew
          ? done(answer, playlistEntry(playlist, "updated", { after: { added: song.title } }))
          : done(answer);
      }),

    removeSongFromPlaylist: ({ playlistId, songId }, context) =>
      change(sql, requireCaller(context), async (tx) => {
        const playlist = await lockPlaylistOf(tx, playlistId);
        const song = await findSong(tx, songId);
        const was = await store.removePlace(tx, playlist.id, songId);
        const answer = { playlist: await readPlaylist(tx, playlist, requireCaller(context).userId) };
        return was
          ? done(answer, playlistEntry(playlist, "updated", { before: { removed: song?.title ?? songId } }))
          : done(answer);
      }),

    votePlaylistSong: ({ playlistId, songId, up }, context) =>
      change(sql, requireCaller(context), async (tx) => {
        const { userId } = requireCaller(context);
        const vote = await store.setVote(tx, [playlistId, songId, userId], up);
        if (!vote) throw notFound("Song on this playlist", songId);
        const { votes, changed } = vote;
        const payload = { song_id: songId, votes };
        const voted = { noun: "playlist", id: playlistId, verb: "voted", payload, isMembersOwn: true };
        return changed ? done({ votes }, voted) : done({ votes });
      }),
  } satisfies Partial<ServiceImpl<typeof MusicService>>;
}

/** Returns the playlist with its songs, as seen by one user. */
export async function readPlaylist(db: Db, playlist: PlaylistRow, userId: string) {
  return (await toMessages(db, [playlist], userId))[0]!; // toMessages returns one message per playlist
}

/** @throws not_found */
export async function lockPlaylistOf(tx: Tx, id: string): Promise<PlaylistRow> {
  const playlist = await store.lockPlaylist(tx, id);
  if (!playlist) throw notFound("Playlist", id);
  return playlist;
}

const transitionOf = ({ gap_seconds, fade_seconds }: PlaylistRow) => ({ gap_seconds, fade_seconds });

const orderOf = ({ songs, isByHand }: Awaited<ReturnType<typeof readPlaylist>>) => ({
  order: isByHand ? "by hand" : "by votes",
  songs: songs.map(({ song }) => song.title),
});

const walkInOf = ({ walk_in_db }: PlaylistRow) => ({ walk_in_db });

function nameOf(text: string): string {
  const name = text.trim();
  if (name === "") throw invalid("Name is required");
  return name;
}

/**
 * @returns false if the song is already on the playlist
 * @throws resource_exhausted if the playlist is full
 */
export async function addSong(tx: Tx, playlist: PlaylistRow, songId: string): Promise<boolean> {
  await requireRoom(tx, playlist);
  return store.addPlace(tx, playlist.id, songId);
}

/** @throws resource_exhausted if the playlist is full */
export async function requireRoom(tx: Tx, { id }: PlaylistRow): Promise<void> {
  if ((await store.countPlaces(tx, id)) >= MOST_SONGS)
    throw exhausted(`A playlist may have at most ${MOST_SONGS} songs. Take one off first.`);
}

export function playlistEntry(playlist: PlaylistRow, verb: string, change: Pick<Entry, "before" | "after">): Entry {
  return { noun: "playlist", id: playlist.id, verb, ...change };
}

async function toMessages(db: Db, playlists: readonly PlaylistRow[], userId: string) {
  const places = await store.placesOf(
    db,
    playlists.map(({ id }) => id),
    userId,
  );
  const [songs, queue] = await Promise.all([
    findSongs(db, [...new Set(places.map(({ song_id }) => song_id))]),
    readQueue(db),
  ]);
  const byId = new Map(songs.map((song) => [song.id, songFromRow(song)]));
  const toPlace = ({ playlist_id, song_id, votes, voted, played_in, added_at, rank }: PlaceRow) => {
    const song = byId.get(song_id);
    const played = queue.mode !== "stopped" && queue.playlist_id === playlist_id && played_in === queue.run;
    return song ? [{ song, votes, voted, played, addedAt: timestampOf(added_at), isPlaced: rank !== null }] : [];
  };
  const ofPlaylist = Map.groupBy(places, ({ playlist_id }) => playlist_id);
  return playlists.map(({ id, name, created_at, gap_seconds, fade_seconds, requests, walk_in_db }) => ({
    id,
    name,
    createdAt: timestampOf(created_at),
    gapSeconds: gap_seconds,
    fadeSeconds: fade_seconds,
    requests,
    ...(walk_in_db !== null && { walkInDb: walk_in_db }),
    songs: (ofPlaylist.get(id) ?? []).flatMap(toPlace),
    isByHand: (ofPlaylist.get(id) ?? []).some(({ rank }) => rank !== null),
  }));
}
