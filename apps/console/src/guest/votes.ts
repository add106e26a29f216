import type { Envelope } from "@followspot/contract";
import type { EventJson } from "@followspot/contract/event";
import type { GuestSongJson, GuestTalkJson, MyNightJson } from "@followspot/contract/guest";
import type { TalkJson } from "@followspot/contract/talk";

/** Returns the night with the guest's vote for a talk added or removed; unchanged if it already is. */
export function withTalkVote(night: MyNightJson, talkId: string, voted: boolean): MyNightJson {
  const talks = night.talks?.map((talk) =>
    talk.id === talkId && (talk.voted ?? false) !== voted
      ? { ...talk, voted, points: (talk.points ?? 0) + (voted ? 1 : -1) }
      : talk,
  );
  return { ...night, talks };
}

/** Returns the night with the guest's vote for a song added or removed. The songs are sorted by votes again. */
export function withSongVote(night: MyNightJson, songId: string, voted: boolean): MyNightJson {
  const vote = (song: GuestSongJson): GuestSongJson =>
    song.id === songId && (song.voted ?? false) !== voted
      ? { ...song, voted, votes: (song.votes ?? 0) + (voted ? 1 : -1) }
      : song;
  return {
    ...night,
    songs: byVotes((night.songs ?? []).map(vote)),
    ...(night.playing && { playing: vote(night.playing) }),
  };
}

/**
 * Applies an event with other users' votes to the night; undefined if the event is incomplete and the night must be
 * reloaded.
 */
export function withHeard(night: MyNightJson, { type, payload }: Envelope): MyNightJson | undefined {
  if (type === "playlist.voted") {
    const { playlist_id, song_id, votes } = payload as { playlist_id: string; song_id: string; votes: number };
    if (playlist_id !== night.playlistId) return night;
    const count = (song: GuestSongJson) => (song.id === song_id ? { ...song, votes } : song);
    return {
      ...night,
      songs: byVotes((night.songs ?? []).map(count)),
      ...(night.playing && { playing: count(night.playing) }),
    };
  }
  if (type === "event.counted") {
    const { event } = payload as { readonly event?: EventJson };
    if (event?.id !== night.event?.id) return night;
    return { ...night, event: { ...night.event, registered: event?.registered ?? 0 } };
  }
  const talk = type.startsWith("talk.") ? (payload as { readonly talk?: TalkJson }).talk : undefined;
  if (!talk || type === "talk.deleted") return undefined;
  const held = night.talks?.find(({ id }) => id === talk.id);
  if (!held) return talk.eventId === night.event?.id ? undefined : night;
  if (talk.eventId !== night.event?.id || talk.startAt !== held.startAt) return undefined;
  const counted: GuestTalkJson = { ...held, title: talk.title, speaker: talk.userName ?? "", points: talk.points };
  return { ...night, talks: night.talks?.map((each) => (each === held ? counted : each)) };
}

/** Sorts by votes, most first, after the songs whose place was chosen by hand; equal songs keep their order. */
const byVotes = (songs: readonly GuestSongJson[]): GuestSongJson[] => [
  ...songs.filter(({ isFixed }) => isFixed),
  ...songs.filter(({ isFixed }) => !isFixed).toSorted((a, b) => (b.votes ?? 0) - (a.votes ?? 0)),
];
