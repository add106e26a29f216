import { gunzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { startTestServer } from "../../testing/test-server.ts";

const dataDir = await folderUntil(afterAll);
const server = openUntil(afterAll, await startTestServer({ dataDir }));
const director = await server.person("Dora", ["Director"]);

const call = (method: string, body: object = {}, token = director.token) =>
  server.call(`recording.v1.RecordingService/${method}`, body, token);
const actions = async (id: string) => {
  const rows = await server.sql<{ action: string }[]>`
    select action from audit_log where target = ${`recording ${id}`} order by id`;
  return rows.map(({ action }) => action);
};

describe("recordings", () => {
  test("are started, listed, replayed, downloaded and deleted, with audit entries", async () => {
    const { recording } = (await call("StartRecording", { name: " Friday " })).body;
    expect(recording).toMatchObject({ name: "Friday", startedBy: "Dora", state: "recording", universes: [1] });
    expect((await call("StopRecording")).body.recording).toMatchObject({ id: recording.id, state: "whole" });
    expect((await call("StopRecording")).body).toEqual({});
    expect((await call("StartReplay", { id: recording.id })).code).toBeUndefined();
    expect((await call("ListRecordings")).body).toMatchObject({
      recordings: [{ id: recording.id }],
      replayedId: recording.id,
    });
    await call("StopReplay");
    const file = await fetch(`${server.base}/api/recordings/${recording.id}`, {
      headers: { authorization: `Bearer ${director.token}` },
    });
    expect(file.headers.get("content-disposition")).toBe(`attachment; filename="${recording.id}.frames.gz"`);
    const [head] = gunzipSync(Buffer.from(await file.arrayBuffer()))
      .toString()
      .split("\n");
    expect(JSON.parse(head!)).toEqual({ recording: 1, offsets: { 1: 0 } });

    expect((await call("DeleteRecording", { id: recording.id })).code).toBe("permission_denied");
    const admin = await server.person("Ada", ["Admin"]);
    expect((await call("DeleteRecording", { id: recording.id }, admin.token)).code).toBeUndefined();
    expect((await call("ListRecordings")).body).toEqual({});
    expect(await actions(recording.id)).toEqual(
      ["started", "stopped", "replayed", "deleted"].map((verb) => `recording.${verb}`),
    );
  });

  test("answer impossible requests with a sentence, and write no audit entry", async () => {
    const { recording } = (await call("StartRecording")).body;
    expect((await call("StartRecording")).body).toEqual({
      code: "failed_precondition",
      message: "A recording is going on already. Stop it first.",
    });
    expect((await call("StartReplay", { id: recording.id })).body.message).toBe(
      "It is still being recorded. Stop it first.",
    );
    await call("StopRecording");
    expect((await call("StartReplay", { id: "01ARZ3NDEKTSV4RRFFQ69G5FAV" })).body.message).toBe(
      "This recording is not there any more.",
    );
    expect((await call("StartRecording", { name: "a\u0007b" })).body.message).toBe(
      "name: holds control characters. Take them out.",
    );
    expect(await actions(recording.id)).toEqual(["recording.started", "recording.stopped"]);
  });

  test.each(["..%2f..%2fetc%2fpasswd", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "x"])(
    "downloads only recordings, not %s",
    async (id) => {
      const { status } = await fetch(`${server.base}/api/recordings/${id}`, {
        headers: { authorization: `Bearer ${director.token}` },
      });
      expect(status).toBe(404);
    },
  );

  test("are available only to users who may control the stage", async () => {
    const member = await server.person("Mo", []);
    const { status } = await fetch(`${server.base}/api/recordings/x`, {
      headers: { authorization: `Bearer ${member.token}` },
    });
    expect(status).toBe(403);
  });
});
