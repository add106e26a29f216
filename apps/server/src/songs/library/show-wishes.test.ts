import { readdir, rename, rm } from "node:fs/promises";
import { afterAll, describe, expect, test } from "vitest";
import { NO_WISHES, type Cue, type LightingPlan, type ShowWishes } from "@followspot/contract";
import { seedsOfSong } from "@followspot/lighting";
import type { Caller } from "../../platform/caller.ts";
import { SongsByHand } from "../../testing/songs-by-hand.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { startTestServer, type Wire } from "../../testing/test-server.ts";
import { retrySong } from "./change-song.ts";
import { SongFiles } from "../catalog/song-files.ts";
import { purgeSongs } from "../catalog/songs.store.ts";

const caller: Caller = { userId: "01ADMIN", name: "Ada", roles: ["Admin"], sessionId: "" };
const UNKNOWN = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

const dataDir = await folderUntil(afterAll);
const server = openUntil(afterAll, await startTestServer({ dataDir, connections: 20 }));
const files = new SongFiles(dataDir);
const songs = new SongsByHand(server.sql, files, caller);
const ada = await server.person("Ada", ["Admin"]);
const ai = (await server.person("ai", ["AI"])).token;

async function call(method: string, body: object, token = ada.token): Promise<Wire> {
  const answer = await server.call(`music.v1.MusicService/${method}`, body, token);
  return { ...answer.body, code: answer.code ?? "" };
}
const wish = (songId: string, wishes: Partial<ShowWishes>, revision = 0) =>
  call("UpdateShowWishes", { song_id: songId, wishes_json: JSON.stringify({ ...NO_WISHES, ...wishes }), revision });
const wishesOf = async (songId: string): Promise<ShowWishes> =>
  JSON.parse((await call("GetShowWishes", { song_id: songId })).wishesJson);
const revisions = async (songId: string): Promise<Wire[]> =>
  (await call("ListPlanRevisions", { song_id: songId })).revisions;
const restore = (songId: string, number: number) => call("RestorePlanRevision", { song_id: songId, number });
const statusOf = async (songId: string) => (await call("GetSong", { song_id: songId })).song.lightingStatus;

/** Creates a song and runs its first plan. */
async function plannedSong(): Promise<{ id: string; plan: LightingPlan }> {
  const id = await songs.analysed();
  return { id, plan: await songs.plan(id) };
}
let someplan: Promise<LightingPlan> | undefined;
/** Creates a song with a plan that was made for another song. */
async function readySong(): Promise<{ id: string; plan: LightingPlan }> {
  const plan = await (someplan ??= plannedSong().then((song) => song.plan));
  const id = await songs.analysed();
  await songs.pretendPlan(id, plan);
  return { id, plan };
}
/** Returns the plan as consoles and the stage read it. */
async function played(songId: string): Promise<LightingPlan> {
  const address = `${server.base}/proxy/music/lighting/${songId}/lighting.json`;
  return (await (await fetch(address, { headers: { authorization: `Bearer ${ada.token}` } })).json()) as LightingPlan;
}
const runnerUp = ({ choice }: LightingPlan, index = 0) => choice!.runners_up[index]!;
const inLane = (target: string, cue: Cue) => ({ target, cue });
const someCue = ({ event_lanes }: LightingPlan): Cue => event_lanes["role:par"]![0]!;

describe("show settings", () => {
  test("are empty at first, and the best show is planned", async () => {
    const { id, plan } = await plannedSong();
    expect(await call("GetShowWishes", { song_id: id }, ai)).toMatchObject({ code: "" });
    expect(await wishesOf(id)).toEqual(NO_WISHES);
    expect(plan.choice!.tried).toBeGreaterThan(1);
    expect((await call("GetSong", { song_id: id })).song.showRemark ?? "").toBe(
      plan.choice!.remarks.find(({ isGood }) => !isGood)?.text ?? "",
    );
  });

  test("can select a runner-up, which is planned next and offers the way back", async () => {
    const { id, plan } = await plannedSong();
    const { seed, differs } = runnerUp(plan);
    expect(await wish(id, { seed })).toMatchObject({ code: "", revision: 1, song: { lightingStatus: "processing" } });
    const next = await songs.plan(id);
    expect(next.seed).toBe(seed);
    expect(next.event_lanes).not.toEqual(plan.event_lanes);
    expect((await revisions(id))[0].changed).toEqual(differs);
    expect(await wish(id, {}, 1)).toMatchObject({ revision: 2 });
    expect((await songs.plan(id)).event_lanes).toEqual(plan.event_lanes);
    expect((await revisions(id))[0].changed).toEqual(["back to the best"]);
  });

  test("can set a mood, reroll a section, and lock a cue across all other choices", async () => {
    const { id, plan } = await plannedSong();
    const kept = inLane("role:par", { ...someCue(plan), palette: ["#123456"], reason: "the bride wished it" });
    const wishes = { mood: "calm" as const, section_seeds: { "0": 77 }, kept: [kept] };
    await wish(id, wishes);
    const next = await songs.plan(id);
    expect(next.event_lanes["role:par"]).toContainEqual({ ...kept.cue, kept: true });
    const [label] = plan.sections!.map((section) => section.label);
    expect((await revisions(id))[0].changed).toEqual(["mood: calm", `${label} at 0:00 rolled again`, "1 cue locked"]);
    await wish(id, { ...wishes, seed: runnerUp(next).seed }, 1);
    expect((await songs.plan(id)).event_lanes["role:par"]).toContainEqual({ ...kept.cue, kept: true });
  });

  test("are written to the audit log, and make a running plan with the old settings stale", async () => {
    const { id, plan } = await readySong();
    await wish(id, { mood: "dark" });
    const late = await songs.claimNext(id);
    await wish(id, { mood: "dark", seed: runnerUp(plan).seed }, 1);
    expect(await songs.report(late, { kind: "done", result: await songs.runStep(late) })).toBe("stale");
    expect((await played(id)).seed).toBe(plan.seed);
    await songs.pretendPlan(id, plan);
    expect((await revisions(id))[0]).toMatchObject({
      changed: ["mood: dark", ...runnerUp(plan).differs],
      madeBy: "Ada",
      isCurrent: true,
    });
    const [entry] = await server.sql`
      select before, after from audit_log where target = ${`song ${id}`} and action = 'song.restyled' order by id limit 1`;
    expect(entry).toEqual({ before: { mood: null }, after: { mood: "dark" } });
  });

  test("based on an older revision are rejected; identical ones are saved once", async () => {
    const { id } = await readySong();
    expect(await wish(id, { mood: "wild" })).toMatchObject({ revision: 1 });
    expect(await wish(id, { mood: "wild" })).toMatchObject({ code: "", revision: 1 });
    expect(await wish(id, { mood: "warm" })).toMatchObject({
      code: "aborted",
      message: expect.stringContaining("Load their wishes"),
    });
    expect(await songs.activeJobs(id)).toHaveLength(1);
  });

  test("saved by twelve callers at once come from exactly one of them", async () => {
    const { id } = await readySong();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => wish(id, { section_seeds: { "0": i + 1 } })),
    );
    expect(answers.filter(({ code }) => code === "")).toHaveLength(1);
    expect(answers.filter(({ code }) => code === "aborted")).toHaveLength(11);
    expect(await songs.activeJobs(id)).toHaveLength(1);
  });

  test("are refused until the song is analyzed, and to everyone but Admins", async () => {
    const { id } = await readySong();
    await retrySong(server.sql, caller, id, "analysis");
    expect(await wish(id, { mood: "calm" })).toMatchObject({ code: "failed_precondition" });
    expect(await wish(UNKNOWN, { mood: "calm" })).toMatchObject({ code: "not_found" });
    const body = { song_id: id, wishes_json: JSON.stringify(NO_WISHES), revision: 0 };
    expect(await call("UpdateShowWishes", body, ai)).toMatchObject({ code: "permission_denied" });
    expect(await call("GetShowWishes", { song_id: UNKNOWN })).toMatchObject({ code: "not_found" });
  });

  test("survive a retry of the plan", async () => {
    const { id, plan } = await readySong();
    const { seed } = runnerUp(plan);
    await wish(id, { seed });
    await songs.pretendPlan(id, plan);
    await retrySong(server.sql, caller, id, "lighting");
    await songs.pretendPlan(id, plan);
    expect((await played(id)).seed).toBe(seed);
    expect((await revisions(id))[0].changed).toEqual(["planned again"]);
  });
});

describe("invalid show settings are refused with a remedy, and nothing changes", () => {
  const cue: Cue = {
    time: 10,
    duration: 4,
    intent: "slow_fade",
    palette: ["#ff0000"],
    params: { level: 0.5 },
    section: "drop",
    energy: 0.5,
    reason: "",
  };
  const par = (change: Partial<Cue>) => inLane("role:par", { ...cue, ...change });
  const CASES: [name: string, wishes: object, message: string][] = [
    ["an unknown target", { kept: [inLane("the moon", cue)] }, "neither a group nor a role"],
    ["a cue beyond the end", { kept: [par({ time: 58 })] }, "beyond the end of the song"],
    ["a cue of no length", { kept: [par({ duration: 0 })] }, "Make it longer"],
    ["overlapping cues of a lane", { kept: [par({}), par({ time: 13 })] }, "overlap at 0:13. Move, trim or unlock"],
    ["a section that is not there", { section_seeds: { "40": 1 } }, "no section 41"],
    ["a seed too large", { seed: 2 ** 32 }, "from 0 to 4294967295"],
    ["a seed that is no whole number", { section_seeds: { "0": 0.5 } }, "from 0 to 4294967295"],
    ["an unknown mood", { mood: "hungry" }, "wishesJson: mood"],
    ["an unknown intent", { kept: [par({ intent: "explode" })] }, "unknown intent"],
    ["an invalid colour", { kept: [par({ palette: ["red"] })] }, "#rrggbb"],
    ["a NUL in a text", { kept: [par({ reason: "a\u0000b" })] }, "control characters"],
    ["half a character", { kept: [par({ section: "\ud800" })] }, "control characters"],
    ["a section that is no number", { section_seeds: { chorus: 1 } }, "wishesJson: section_seeds"],
  ];
  test.each(CASES)("%s", async (_name, wishes, message) => {
    const { id } = await readySong();
    const answer = await wish(id, wishes as Partial<ShowWishes>);
    expect(answer).toMatchObject({ code: "invalid_argument", message: expect.stringContaining(message) });
    expect([await wishesOf(id), await statusOf(id)]).toEqual([NO_WISHES, "ready"]);
  });

  test("text that is not JSON, or not JSON of show settings", async () => {
    const { id } = await readySong();
    for (const wishes_json of ["no JSON", "[]", "null", "{}", `{"seed":1}`])
      expect(await call("UpdateShowWishes", { song_id: id, wishes_json, revision: 0 })).toMatchObject({
        code: "invalid_argument",
      });
  });

  test("sections of a song without a show", async () => {
    const id = await songs.analysed();
    expect(await wish(id, { section_seeds: { "0": 1 } })).toMatchObject({
      code: "failed_precondition",
      message: expect.stringContaining("no show yet"),
    });
    expect(await wish(id, { mood: "bright" })).toMatchObject({ code: "" });
  });
});

describe("rerolling the show", () => {
  test("cycles through all shows of the song", async () => {
    const { id, plan } = await readySong();
    const seen: number[] = [];
    for (let press = 0; press <= plan.choice!.tried; press++) {
      await call("GetSongLighting", { song_id: id, force_regenerate: true });
      await songs.pretendPlan(id, plan);
      seen.push((await played(id)).seed);
    }
    expect(new Set(seen)).toEqual(new Set(seedsOfSong(id)));
    expect(seen.at(-1)).toBe(seen[0]);
  });

  test("keeps mood, rerolled sections and locked cues", async () => {
    const { id, plan } = await readySong();
    const wishes = { mood: "warm" as const, section_seeds: { "0": 5 }, kept: [inLane("role:par", someCue(plan))] };
    await wish(id, wishes);
    await call("GetSongLighting", { song_id: id, force_regenerate: true });
    expect(await wishesOf(id)).toMatchObject(wishes);
  });
});

describe("earlier plans", () => {
  test("are listed newest first, and are restored exactly with their settings and without planning", async () => {
    const { id, plan } = await plannedSong();
    await wish(id, { seed: runnerUp(plan).seed, mood: "dark" });
    await songs.plan(id);
    const list = await revisions(id);
    expect(list.map(({ changed, isCurrent = false }) => [changed.length > 0, isCurrent])).toEqual([
      [true, true],
      [true, false],
    ]);
    const { number } = list[1];
    expect(await restore(id, number)).toMatchObject({ code: "", song: { lightingStatus: "ready" } });
    expect(await played(id)).toEqual(plan);
    expect(await wishesOf(id)).toEqual(NO_WISHES);
    expect(await songs.activeJobs(id)).toHaveLength(0);
    expect((await revisions(id)).map(({ isCurrent = false }) => isCurrent)).toEqual([false, true]);
    const shown = (await call("GetSong", { song_id: id })).song;
    expect(JSON.parse(shown.colorPalette)).toEqual(plan.palette);
  });

  test("can be restored during a running plan, whose result is then dropped", async () => {
    const { id, plan } = await readySong();
    await wish(id, { mood: "wild" });
    const late = await songs.claimNext(id);
    const [{ number }] = await revisions(id);
    await Promise.all(Array.from({ length: 8 }, () => restore(id, number)));
    expect(await songs.report(late, { kind: "done", result: await songs.runStep(late) })).toBe("stale");
    expect(await played(id)).toEqual(plan);
    expect([await statusOf(id), await wishesOf(id)]).toEqual(["ready", NO_WISHES]);
    const audits = await server.sql`
      select 1 from audit_log where target = ${`song ${id}`} and action = 'song.reverted'`;
    expect(audits).toHaveLength(1);
  });

  test("are limited to the last twenty, and files of older ones are deleted", async () => {
    const { id, plan } = await readySong();
    for (let made = 0; made < 22; made++) {
      await retrySong(server.sql, caller, id, "lighting");
      await (made < 20 ? songs.pretendPlan(id, plan) : songs.plan(id));
    }
    const list = await revisions(id);
    expect(list).toHaveLength(20);
    const kept = list.map(({ number }) => `lighting.${number}.json`);
    const there = (await readdir(files.folder(id))).filter((name) => name.startsWith("lighting"));
    expect(there.filter((name) => !kept.includes(name)).length).toBeLessThanOrEqual(1); // deleted with the next plan
    expect(kept.every((name) => there.includes(name))).toBe(true);
    expect((await restore(id, list.at(-1).number)).code).toBe("");
  });

  test("name the palette if it changed", async () => {
    const { id, plan } = await readySong();
    await call("SelectLEDPalette", { song_id: id, palette_id: "reef" });
    await songs.pretendPlan(id, plan);
    expect((await revisions(id))[0].changed).toEqual(["colors: Reef"]);
  });

  test("are refused if unknown, or if their file was deleted", async () => {
    const { id } = await readySong();
    expect(await restore(id, 99)).toMatchObject({ code: "not_found" });
    expect(await restore(UNKNOWN, 1)).toMatchObject({ code: "not_found" });
    expect(await restore(id, 0)).toMatchObject({ code: "invalid_argument" });
    expect(await call("ListPlanRevisions", { song_id: UNKNOWN })).toMatchObject({ code: "not_found" });
    const [{ number }] = await revisions(id);
    await rm(files.path(id, `lighting.${number}.json`));
    expect(await restore(id, number)).toMatchObject({
      code: "failed_precondition",
      message: expect.stringContaining("Restore another one"),
    });
    expect(await call("RestorePlanRevision", { song_id: id, number }, ai)).toMatchObject({ code: "permission_denied" });
  });

  test("are deleted with their song", async () => {
    const { id } = await readySong();
    await wish(id, { mood: "calm" });
    await call("DeleteSong", { song_id: id });
    await server.sql`update songs set deleted_at = now() - interval '1 hour' where id = ${id}`;
    expect(await purgeSongs(server.sql, 10)).toEqual([id]);
    expect(await server.sql`select 1 from plan_revisions where song_id = ${id}`).toHaveLength(0);
    expect(await server.sql`select 1 from song_wishes where song_id = ${id}`).toHaveLength(0);
  });

  test("from before plans had numbers are still played", async () => {
    const { id, plan } = await readySong();
    await rename(files.path(id, "lighting.1.json"), files.path(id, "lighting.json"));
    await server.sql`delete from plan_revisions where song_id = ${id}`;
    await server.sql`update songs set plan_number = 0 where id = ${id}`;
    expect(await played(id)).toEqual(plan);
    await wish(id, { mood: "calm" });
    await songs.pretendPlan(id, plan);
    expect((await revisions(id))[0].changed).toEqual(["first show"]);
  });
});
