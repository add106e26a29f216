import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MusicDuringTalks } from "@followspot/contract";
import { parsRig } from "@followspot/lighting";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rehearseVerb } from "../cli/rehearse.ts";
import { SongFiles } from "../songs/catalog/song-files.ts";
import { callApi } from "../platform/http/call-api.ts";
import { brightPlan, halfDarkPlan } from "../stage/testing/plans.ts";
import { insertReadySong } from "../testing/ready-song.ts";
import { startTestServer, type TestServer, type Wire } from "../testing/test-server.ts";
import { walkEvening } from "./evening.ts";
import { eveningOf, rehearse, type RehearsalFacts, type RehearsedSong } from "./rehearsal.ts";
import { rehearseLight, type SongLight } from "./rehearse-light.ts";

const at = (time: string) => Date.parse(`2026-06-21T${time}:00Z`);
const song = (id: string, more: Partial<RehearsedSong> = {}): RehearsedSong => ({
  id,
  title: id,
  artist: "Mira",
  seconds: 600,
  state: "ready",
  problem: "",
  failedStep: "lighting",
  isDoubtful: false,
  isOfOtherRig: false,
  hasSound: true,
  warnings: [],
  ...more, // prettier-ignore
});
const talk = (id: string, time?: string) => ({ id, title: id, speaker: "Ines", at: time === undefined ? undefined : at(time) }); // prettier-ignore
const lightOf = (songId: string, more: Partial<SongLight> = {}): SongLight => ({
  songId,
  title: songId,
  problem: "",
  mostFlashes: 3,
  allowedFlashes: 3,
  limitedShare: 0,
  litLamps: [1, 2],
  darkLamps: [1, 2],
  ...more, // prettier-ignore
});

/** An evening without findings: two hours, a talk in the middle, ten songs of ten minutes. */
const well: RehearsalFacts = {
  title: "Friday",
  startsAt: at("20:00"),
  endsAt: at("22:00"),
  zone: "UTC",
  talks: [talk("Bats", "21:00")],
  talkMinutes: 20,
  musicDuringTalks: "pauses",
  playlists: [{ id: "p", name: "Floor", gapSeconds: 0, songs: Array.from({ length: 10 }, (_, i) => song(`S${i}`)) }],
  lamps: new Map([[1, "Left"], [2, "Right"]]), // prettier-ignore
  light: [lightOf("S0")],
  unlit: 0,
};
const findings = (more: Partial<RehearsalFacts>) =>
  rehearse({ ...well, ...more }).findings.map(({ id, state, says }) => `${id}, ${state}: ${says}`);
const playlist = (songs: readonly RehearsedSong[], gapSeconds = 0) => [{ id: "p", name: "Floor", gapSeconds, songs }];
const floor = well.playlists[0]!.songs;

describe("an evening", () => {
  const lines = (facts: RehearsalFacts) =>
    walkEvening(eveningOf(facts)).moments.map(({ at: ms, kind, title }) => [new Date(ms).toISOString().slice(11, 16), kind, title].join(" ").trim()); // prettier-ignore

  test("has songs from start to end, paused during talks", () => {
    expect(lines(well)).toEqual([
      "20:00 start Friday",
      "20:00 song S0",
      "20:10 song S1",
      "20:20 song S2",
      "20:30 song S3",
      "20:40 song S4",
      "20:50 song S5",
      "21:00 pause",
      "21:00 talk Bats",
      "21:20 resume",
      "21:20 song S6",
      "21:30 song S7",
      "21:40 song S8",
      "21:50 song S9",
      "22:00 end Friday",
    ]);
  });

  // kept: Console | A rehearsal paused the music for each talk, whatever the night does | failed on the old code
  test.each<[MusicDuringTalks, readonly string[]]>([
    ["pauses", ["20:05 pause", "20:05 talk Bats", "20:25 resume", "20:30 song B", "20:40 music_end"]],
    ["quiet", ["20:05 quiet", "20:05 talk Bats", "20:10 song B", "20:20 music_end"]],
    ["continues", ["20:05 talk Bats", "20:10 song B", "20:20 music_end"]],
  ])("has music that %s during talks, as in the show queue", (musicDuringTalks, expected) => {
    const playlists = playlist([song("A"), song("B")]);
    const facts = { ...well, musicDuringTalks, playlists, talks: [talk("Bats", "20:05")] };
    expect(lines(facts)).toEqual(["20:00 start Friday", "20:00 song A", ...expected, "22:00 end Friday"]);
    const long = { ...facts, playlists: well.playlists };
    const [begin, end] = { pauses: ["pause", "resume"], quiet: ["quiet", "full_volume"], continues: [] }[
      musicDuringTalks
    ];
    const kinds = lines(long).filter((line) => / (pause|resume|quiet|full_volume)$/.test(line));
    expect(kinds).toEqual(begin ? [`20:05 ${begin}`, `20:25 ${end}`] : []);
  });

  test("moves songs earlier for cross-fades and later for gaps, and resumes a song after a talk that interrupted it", () => {
    const twice = [song("A"), song("B")];
    expect(lines({ ...well, playlists: playlist(twice, -60), talks: [talk("Bats", "20:05")] })).toEqual([
      "20:00 start Friday",
      "20:00 song A",
      "20:05 pause",
      "20:05 talk Bats",
      "20:25 resume",
      "20:29 song B",
      "20:39 music_end",
      "22:00 end Friday",
    ]);
    expect(lines({ ...well, playlists: playlist(twice, 120), talks: [] })).toContain("20:12 song B");
  });

  test("has the correct length over midnight and over a DST change", () => {
    const startsAt = Date.parse("2026-10-24T22:00:00+02:00");
    const endsAt = Date.parse("2026-10-25T04:00:00+01:00");
    const night = { ...well, startsAt, endsAt, talks: [], zone: "Europe/Vienna", playlists: playlist(Array.from({ length: 50 }, (_, i) => song(`N${i}`))) }; // prettier-ignore
    const { moments } = rehearse(night);
    // Seven hours elapsed, six by the wall clock.
    expect(moments.filter(({ kind }) => kind === "song")).toHaveLength(42);
    expect(findings(night)).toEqual([expect.stringMatching(/^times, warning: The clocks go back in this night .* From 10:00 PM to 4:00 AM it lasts 7 hours/)]); // prettier-ignore
    expect(findings({ ...night, startsAt: startsAt - 86_400_000, endsAt: endsAt - 3_600_000 - 86_400_000 })).toEqual(
      [],
    );
  });
});

describe("a rehearsal", () => {
  test("finds nothing if everything is healthy", () => expect(findings({})).toEqual([]));

  test.each<[string, Partial<RehearsalFacts>, readonly RegExp[]]>([
    ["a song that failed", { playlists: playlist([...floor, song("X", { state: "failed", problem: "No beat." })]) }, [/^songs, fault: 1 song has no show .*"X"\. No beat\.$/]],
    ["a song at work", { playlists: playlist([...floor, song("X", { state: "at work" })]) }, [/^songs, warning: 1 song is not ready yet: "X"/]],
    ["a song without sound", { playlists: playlist([...floor, song("X", { hasSound: false })]) }, [/^sound, fault: .*"X"/]],
    ["distorted sound", { playlists: playlist([...floor, song("X", { isDoubtful: true })]) }, [/^hearing, warning: The sound of "X"/]],
    ["a show for another rig", { playlists: playlist([...floor, song("X", { isOfOtherRig: true })]) }, [/^plans, warning: .*"X"/]],
    ["a song with a warning", { playlists: playlist([...floor, song("X", { warnings: ["low_confidence"] })]) }, [/^plans, warning: 1 song has a warning: "X"/]],
    ["a playlist of broken songs", { playlists: [...well.playlists, { id: "q", name: "Late", gapSeconds: 0, songs: [song("X", { state: "failed" })] }] }, [/^songs, fault/, /^music, fault: No song of "Late" can be played/]],
    ["an empty playlist", { playlists: [...well.playlists, { id: "q", name: "Late", gapSeconds: 0, songs: [] }] }, [/^music, warning: "Late" has no songs/]],
    ["no playlist", { playlists: [] }, [/^music, warning: There is no playlist/]],
    ["too little music", { playlists: playlist(floor.slice(0, 3)) }, [/^music, warning: The last song is over at 8:30 PM, and the event at 10:00 PM: 1 h 30 min without music/]],
    ["a long cross-fade", { playlists: playlist([...floor, song("X", { seconds: 15 })], -12) }, [/^transitions, warning: The cross-fade of "Floor" \(12 s\) is longer than half of "X"/]],
    ["talks at one time", { talks: [talk("Bats", "21:00"), talk("Owls", "21:00")] }, [/^talks, fault: "Bats", "Owls" begin at the same time, 9:00 PM/]],
    ["talks that overlap", { talks: [talk("Owls", "21:10"), talk("Bats", "21:00")] }, [/^talks, warning: "Owls" begins 10 minutes after "Bats"/]],
    ["a talk before doors", { talks: [...well.talks, talk("Owls", "19:00")] }, [/^talks, fault: "Owls" begins before the event does, on Jun 21 at 7:00 PM/]],
    ["a talk after the end", { talks: [...well.talks, talk("Owls", "22:00")] }, [/^talks, fault: "Owls" begins when the event is over/]],
    ["a talk without a time", { talks: [...well.talks, talk("Bats")] }, [/^talks, warning: "Bats": no time is set/]],
    ["too many flashes", { light: [lightOf("X", { mostFlashes: 5 })] }, [/^flashes, fault: "X" would flash more often .* \(5 a second, 3 are allowed\)/]],
    ["a show that is held back", { light: [lightOf("X", { limitedShare: 0.3 })] }, [/^flashes, warning: .*"X"/]],
    ["a show that cannot be read", { light: [lightOf("S0"), lightOf("X", { problem: "no JSON" })] }, [/^plans, fault: The show of "X" cannot be read/]],
    ["light that takes too long", { unlit: 4 }, [/^plans, warning: The light of 4 songs was not looked at/]],
    ["a lamp that is never lit", { light: [lightOf("X", { litLamps: [1] })] }, [/^lamps, warning: Never lit in the whole evening: "Right"/]],
    ["a lamp that is never dark", { light: [lightOf("X", { darkLamps: [2] })] }, [/^lamps, warning: Never dark in any song: "Left"/]],
  ])("finds %s", (_what, more, expected) => {
    const found = findings(more);
    expect(found).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
  }); // prettier-ignore

  test("lists faults first, each with the page that fixes it", () => {
    const { findings: found } = rehearse({ ...well, talks: [talk("Bats")], playlists: playlist([song("X", { state: "failed" })]) }); // prettier-ignore
    const states = found.map(({ state }) => state);
    expect(states).toEqual(states.toSorted());
    for (const { path, action } of found) expect([path, action]).toEqual([expect.stringMatching(/^\//), expect.any(String)]); // prettier-ignore
  });
});

describe("on the server", () => {
  let server: TestServer;
  let dataDir: string;
  let director: { id: string; token: string };
  let event: string;
  const ids: string[] = [];

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "followspot-rehearsal-"));
    server = await startTestServer({ dataDir });
    director = await server.person("Dora", ["Director"]);
    const files = new SongFiles(dataDir);
    const { playlist: made } = await call("music.v1.MusicService/CreatePlaylist", { name: "Floor" });
    for (const [title, plan] of Object.entries({ Bright: brightPlan(), Dark: halfDarkPlan(), Broken: undefined })) {
      const id = await insertReadySong(server.sql, { title });
      ids.push(id);
      await files.makeFolder(id);
      if (title !== "Dark") await writeFile(files.path(id, "audio.mp3"), "sound");
      await writeFile(files.path(id, "lighting.json"), plan ? JSON.stringify(plan) : '{"event_lanes": {}}');
      await call("music.v1.MusicService/AddSongToPlaylist", { playlist_id: made.id, song_id: id });
    }
    for (const label of ["Left", "Right"])
      await call("lights.v1.LightsService/CreateLight", { label, light_type: "generic_rgb_par", mode: "4 channels" });
    const times = { starts_at: "2026-06-21T20:00:00Z", ends_at: "2026-06-21T23:00:00Z" };
    event = (await call("event.v1.EventService/CreateEvent", { title: "Friday", ...times })).event.id;
    await call("talk.v1.TalkService/CreateTalk", { title: "Bats", body: "", event_id: event, start_at: "2026-06-21T20:01:00Z" }); // prettier-ignore
  });
  afterAll(async () => {
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const call = async (method: string, body: object): Promise<Wire> =>
    server.ask(method, body, (await server.person("Ada", ["Admin"])).token);
  const rehearseNight = (more: object = {}) =>
    server.call("night.v1.NightService/RehearseNight", { event_id: event, ...more }, director.token);

  test("returns the moments of an evening, and the effect of its songs on the installed fixtures", async () => {
    const { body } = await rehearseNight({ zone: "Europe/Vienna" });
    expect(body.moments.map(({ kind, title }: Wire) => `${kind} ${title ?? ""}`.trim())).toEqual(["start Friday", "song Bright", "pause", "talk Bats", "resume", "song Broken", "music_end", "end Friday"]); // prettier-ignore
    expect([body.songsRendered, body.zone]).toEqual([2, "Europe/Vienna"]);
    const says = body.findings.map((finding: Wire) => `${finding.id}: ${finding.says}`).join("\n");
    expect(says).toMatch(/sound: The file of sound is missing: "Dark"/);
    expect(says).toMatch(/plans: The show of "Broken" cannot be read/);
    expect(says).toMatch(/The last song is over at 10:26 PM, and the event at 1:00 AM/);
    expect(body.findings.find(({ id }: Wire) => id === "sound").retries).toEqual([
      { songId: ids[1], step: "download" },
    ]);
    const progress = await server.call("night.v1.NightService/GetRehearsalProgress", {}, director.token);
    expect(progress.body.isRunning ?? false).toBe(false);
  });

  test("uses the event's time zone unless another one is requested", async () => {
    await call("event.v1.EventService/UpdateEvent", { event_id: event, time_zone: "Asia/Tokyo" });
    const { body } = await rehearseNight();
    expect(body.zone).toBe("Asia/Tokyo");
    const says = body.findings.map((finding: Wire) => finding.says).join("\n");
    expect(says).toContain("The last song is over at 5:26 AM, and the event at 8:00 AM");
    const lines: string[] = [];
    const options = { eventId: event, playlistIds: [], talkMinutes: 20, speed: 0 };
    await rehearseVerb(callApi(server.base, director.token), options, (line) => lines.push(line));
    expect(lines).toContain(" 5:01:00 AM  talk  Bats (20:00)");
    await call("event.v1.EventService/UpdateEvent", { event_id: event, time_zone: "" });
  });

  test("uses the event's choice of music during talks", async () => {
    const kindsWith = async (music_during_talks: string) => {
      await call("event.v1.EventService/UpdateEvent", { event_id: event, music_during_talks });
      return (await rehearseNight()).body.moments.map(({ kind }: Wire) => kind).filter((kind: string) => /pause|quiet/.test(kind)); // prettier-ignore
    };
    expect([await kindsWith("continues"), await kindsWith("quiet"), await kindsWith("pauses")]).toEqual([[], ["quiet"], ["pause"]]); // prettier-ignore
  });

  test("leaves out walk-in music if no playlist is chosen", async () => {
    await server.sql`update playlists set walk_in_db = -6`;
    const { body } = await rehearseNight();
    await server.sql`update playlists set walk_in_db = null`;
    expect(body.moments.filter(({ kind }: Wire) => kind === "song")).toEqual([]);
  });

  test("the CLI command prints the findings, then the evening, at its own pace", async () => {
    const lines: string[] = [];
    const options = { eventId: event, playlistIds: [], talkMinutes: 20, speed: 0 };
    await rehearseVerb(callApi(server.base, director.token), options, (line) => lines.push(line));
    expect(lines[0]).toMatch(/^Friday: \d things would go wrong; light of 2 songs checked$/);
    expect(lines).toContainEqual(expect.stringMatching(/^fault {4}Sound files\. The file of sound is missing: "Dark"/));
    expect(lines).toContainEqual(expect.stringMatching(/^ ?\d\d?:01:00 [AP]M {2}talk {2}Bats \(20:00\)$/));
    await expect(rehearseVerb(callApi(server.base, director.token), { ...options, eventId: "none" }, () => {})).rejects.toThrow(/none/); // prettier-ignore
  });

  test("runs one rehearsal at a time, and the next one can start afterwards", async () => {
    const answers = await Promise.all([rehearseNight(), rehearseNight(), rehearseNight()]);
    expect(answers.map(({ code = "ok" }) => code).toSorted()).toEqual([
      "failed_precondition",
      "failed_precondition",
      "ok",
    ]);
    expect((await rehearseNight()).code).toBeUndefined();
  });

  test.each([
    [{ event_id: "none" }, "not_found"],
    [{ playlist_ids: ["none"] }, "invalid_argument"],
    [{ zone: "Nowhere/Land" }, "invalid_argument"],
    [{ talk_minutes: 0 }, "invalid_argument"],
  ])("refuses %j", async (more, code) => {
    expect((await rehearseNight(more)).code).toBe(code);
  });
});

describe("the light of songs", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "followspot-light-"));
    await writeFile(join(folder, "bright.json"), JSON.stringify(brightPlan()));
    await writeFile(join(folder, "dark.json"), JSON.stringify(halfDarkPlan()));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const songs = (...names: string[]) => names.map((name) => ({ songId: name, title: name, file: join(folder, `${name}.json`) })); // prettier-ignore
  const rig = parsRig(4);

  test("is computed song by song; an unreadable plan does not affect the others", async () => {
    const steps: number[] = [];
    const light = await rehearseLight({ songs: songs("bright", "none", "dark"), rig }, new AbortController().signal, (n) => void steps.push(n)); // prettier-ignore
    expect(steps).toEqual([1, 2, 3]);
    expect(light.map(({ songId, problem }) => [songId, problem === ""])).toEqual([["bright", true], ["none", false], ["dark", true]]); // prettier-ignore
    expect(light[0]).toMatchObject({ limitedShare: 0 });
    expect(light[0]!.litLamps.toSorted()).toEqual([1, 2, 3, 4]);
    expect(light[2]!.darkLamps.toSorted()).toEqual([1, 2, 3, 4]);
    expect(light[0]!.mostFlashes).toBeLessThanOrEqual(light[0]!.allowedFlashes);
  });

  // kept: Songs and jobs | A show that took all memory while its light was looked at could end the API with it | failed on the
  // old code
  test("stops at a plan that exhausts the memory, and reports the songs before it", async () => {
    const much = { ...brightPlan(), padding: Array.from({ length: 400_000 }, (_, i) => [`${i}`]) };
    await writeFile(join(folder, "much.json"), JSON.stringify(much));
    const lookAt = (megabytes: number) =>
      rehearseLight({ songs: songs("bright", "much", "dark"), rig }, new AbortController().signal, () => {}, { ms: 60_000, megabytes }); // prettier-ignore
    expect((await lookAt(24)).map(({ songId }) => songId)).toEqual(["bright"]);
    expect(await lookAt(2)).toEqual([]);
  });

  test("stops at the time limit with the results so far, and immediately when canceled", async () => {
    const many = songs(...Array.from({ length: 400 }, () => "bright"));
    const some = await rehearseLight({ songs: many, rig: parsRig(60) }, new AbortController().signal, () => {}, { ms: 1500, megabytes: 512 }); // prettier-ignore
    expect(some.length).toBeLessThan(400);
    const cancel = new AbortController();
    const cancelled = rehearseLight({ songs: many, rig }, cancel.signal, () => cancel.abort());
    await expect(cancelled).rejects.toThrow();
  });
});
