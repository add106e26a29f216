import type { MyNightJson } from "@followspot/contract/guest";
import { expect, test } from "vitest";
import { withHeard, withSongVote, withTalkVote } from "./votes.ts";

const NIGHT: MyNightJson = {
  event: { id: "e1" },
  playlistId: "p1",
  playing: { id: "s0", title: "Now", votes: 3 },
  talks: [
    { id: "t1", title: "Maps", points: 4 },
    { id: "t2", title: "Winters", points: 2, voted: true },
  ],
  songs: [
    { id: "s1", title: "Salt", votes: 2 },
    { id: "s2", title: "Cinder", votes: 2 },
    { id: "s3", title: "Moth" },
  ],
};
const envelope = (type: string, payload: object) => ({ id: "1", topic: "x", type, ts: "", payload });
const order = ({ songs }: MyNightJson) => songs?.map(({ title, votes }) => `${title} ${votes ?? 0}`);

test("a vote counts once, however often it is pressed, and can be taken back", () => {
  const once = withTalkVote(NIGHT, "t1", true);
  expect(once.talks?.[0]).toMatchObject({ points: 5, voted: true });
  expect(withTalkVote(once, "t1", true)).toEqual(once);
  expect(withTalkVote(once, "t1", false).talks?.[0]).toMatchObject({ points: 4, voted: false });
  expect(withTalkVote(NIGHT, "t2", false).talks?.[1]).toMatchObject({ points: 1 });
});

test("a song with a new vote moves above songs with fewer votes, but not above its equals", () => {
  expect(order(withSongVote(NIGHT, "s2", true))).toEqual(["Cinder 3", "Salt 2", "Moth 0"]);
  expect(order(withSongVote(NIGHT, "s3", true))).toEqual(["Salt 2", "Cinder 2", "Moth 1"]);
  expect(withSongVote(NIGHT, "s0", true).playing).toMatchObject({ votes: 4, voted: true });
});

// kept: Songs and jobs | A vote moved a song on the guest's phone whose place in the playlist was chosen by hand
// | failed on the old code
test("a vote does not move songs whose place was chosen by hand", () => {
  const byHand = { ...NIGHT, songs: NIGHT.songs!.map((song, at) => ({ ...song, isFixed: at < 2 })) };
  expect(order(withSongVote(byHand, "s2", true))).toEqual(["Salt 2", "Cinder 3", "Moth 0"]);
});

test("counts other users' votes without a request, and preserves the guest's own", () => {
  const heard = withHeard(NIGHT, envelope("playlist.voted", { playlist_id: "p1", song_id: "s3", votes: 9 }))!;
  expect(order(heard)).toEqual(["Moth 9", "Salt 2", "Cinder 2"]);
  const other = envelope("playlist.voted", { playlist_id: "p2", song_id: "s3", votes: 9 });
  expect(withHeard(NIGHT, other)).toBe(NIGHT);
  const talk = { id: "t2", title: "Winters", points: 7, eventId: "e1" };
  expect(withHeard(NIGHT, envelope("talk.updated", { talk }))!.talks?.[1]).toMatchObject({ points: 7, voted: true });
});

test("counts registrations of the guest's own event only", () => {
  const counted = (id: string) => withHeard(NIGHT, envelope("event.counted", { event: { id, registered: 7 } }));
  expect(counted("e1")!.event).toEqual({ id: "e1", registered: 7 });
  expect(counted("e2")).toBe(NIGHT);
});

test("requires a reload after an event with incomplete data", () => {
  const added = { id: "t9", title: "New", eventId: "e1" };
  expect(withHeard(NIGHT, envelope("talk.created", { talk: added }))).toBeUndefined();
  expect(withHeard(NIGHT, envelope("talk.created", { talk: { ...added, eventId: "e2" } }))).toBe(NIGHT);
  expect(
    withHeard(NIGHT, envelope("talk.updated", { talk: { id: "t1", startAt: "2026-11-27T20:00:00Z", eventId: "e1" } })),
  ).toBeUndefined();
  for (const type of ["talk.deleted", "playlist.updated", "queue.started"])
    expect(withHeard(NIGHT, envelope(type, {}))).toBeUndefined();
});
