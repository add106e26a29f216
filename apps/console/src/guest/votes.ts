import type { Envelope } from "@followspot/contract";
import type { EventJson } from "@followspot/contract/event";
import type { GuestSongJson, GuestTalkJson, MyNightJson } from "@followspot/contract/guest";
import type { TalkJson } from "@followspot/contract/talk";

/** The night with the guest's vote for a talk given or taken back; the same when it already is so. */
export function withTalkVote(night: MyNightJson, talkId: string, voted: boolean): MyNightJson {
  const talks = night.talks?.map((talk) =>
    talk.id === talkId && (talk.voted ?? false) !== voted
      ? { ...talk, voted, points: (talk.points ?? 0) + (voted ? 1 : -1) }
      : talk,
  );
  return { ...night, talks };
}

/** The same for a song, which moves to where its votes put it. */
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

/** The night after others voted, where an envelope says all there is to know; undefined: read it again. */
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

/** Most votes first; of equal ones the order stays. */
const byVotes = (songs: readonly GuestSongJson[]): GuestSongJson[] =>
  songs.toSorted((a, b) => (b.votes ?? 0) - (a.votes ?? 0));
