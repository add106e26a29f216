import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import type { GrantedJob } from "@followspot/contract";
import { newId } from "../../platform/database/ids.ts";
import { ServerAway, ServerRefused } from "../machine-door.ts";
import { openFaultyConnection, type ConnectionFault } from "../../testing/faulty-connection.ts";
import { openUntil } from "../../testing/open-until.ts";
import { startVenueWorld } from "../../testing/venue-world.ts";
import { ServerDoor } from "./server-door.ts";
import { ServerJobs } from "./server-jobs.ts";

const world = await startVenueWorld(afterAll);
const { office, admin } = world;

const answer = (status: string, type: string, body: string, more = ""): Partial<ConnectionFault> => {
  const head = `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\nconnection: close${more}`;
  return { kind: "answer", text: `${head}\r\n\r\n${body}` };
};
const page = (status: string, more = "") => answer(status, "text/html; charset=utf-8", "<!doctype html><p>no", more);
const json = (status: string, body: object) => answer(status, "application/json", JSON.stringify(body));
const ANSWERS: Readonly<Record<string, Partial<ConnectionFault>>> = {
  "a page with status 200": page("200 OK"),
  "text with status 200": answer("200 OK", "text/plain", "ok"),
  "the login page of a proxy (401)": page("401 Unauthorized", '\r\nwww-authenticate: Basic realm="proxy"'),
  "a page with status 403": page("403 Forbidden"),
  "a page with status 404": page("404 Not Found"),
  "a page with status 409": page("409 Conflict"),
  "a page with status 500": page("500 Internal Server Error"),
  "a page with status 503": page("503 Service Unavailable"),
  "a page with status 530": page("530 Origin Unreachable"),
  "a redirect to a login page": page("302 Found", "\r\nlocation: /login"),
  "a redirect that keeps the method": page("307 Temporary Redirect", "\r\nlocation: /login"),
  "JSON of another program with status 200": json("200 OK", { status: "maintenance" }),
  "JSON null with status 200": answer("200 OK", "application/json", "null"),
  "JSON of another program with status 401": json("401 Unauthorized", { message: "Unauthorized" }),
  "JSON of another program with status 404": json("404 Not Found", { message: "no Route matched with those values" }),
  "no HTTP": { kind: "answer", text: "220 mail.example ESMTP\r\n" },
  nothing: { kind: "answer", text: "" },
};
const JOB: GrantedJob = {
  ...{ job_id: newId(), song_id: newId(), step: "download", attempt: 1, lease_seconds: 30 },
  lease_token: newId(),
} as GrantedJob;

type TestEnds = typeof onTestFinished;

async function openProxy(end: TestEnds = onTestFinished) {
  const connection = openUntil(end, await openFaultyConnection(Number(new URL(office.base).port)));
  return {
    url: `http://127.0.0.1:${connection.port}`,
    fail: (fault: Partial<ConnectionFault>, times: number) =>
      (connection.faults = [{ on: /./, times, ...fault } as ConnectionFault]),
  };
}

async function openWorker(server: string, end: TestEnds = onTestFinished) {
  const added = await office.ask("queues.v1.QueuesService/AddWorker", { name: `Machine ${newId()}` }, admin.token);
  const { token } = added;
  const [logged, ends]: string[][] = [[], []];
  const stopping = new AbortController();
  end(() => stopping.abort());
  const door = new ServerDoor({ server, token, say: (line) => logged!.push(line), onEnd: (why) => ends!.push(why) });
  const downloader = () => ({ version: "", source: "none", problem: "", fetching: null }) as const;
  const jobs = new ServerJobs(door, { steps: ["download"], root: tmpdir(), downloader, warn: () => undefined });
  openUntil(end, jobs);
  return { door, jobs, logged: logged!, ends: ends!, signal: stopping.signal, workerId: added.worker.id as string };
}

// kept: Songs and jobs | A remote worker ended permanently when a proxy in front of its server responded with 401 or 404 | failed on the old code
test.concurrent.for([...Object.keys(ANSWERS), "silence"])(
  "a worker waits while a proxy responds with %s, logs it once, and starts when the office responds",
  async (name, { onTestFinished: end }) => {
    const proxy = await openProxy(end);
    const { jobs, logged, ends, signal } = await openWorker(proxy.url, end);
    proxy.fail(ANSWERS[name] ?? { kind: "silence" }, 2);
    expect(await jobs.start(signal)).toMatchObject({ name: expect.stringContaining("Machine") });
    expect(ends).toEqual([]);
    expect(logged).toEqual([
      expect.stringMatching(/^the server http:\/\/127\.0\.0\.1:\d+ does not answer \(.+\): waiting for it$/),
      expect.stringMatching(/^the server http:\/\/127\.0\.0\.1:\d+ answers again$/),
    ]);
  },
);

test("a revoked worker ends for a reason that is one sentence", async () => {
  const { jobs, ends, signal, workerId } = await openWorker(office.base);
  await jobs.start(signal);
  await office.ask("queues.v1.QueuesService/RevokeWorker", { worker_id: workerId }, admin.token);
  await jobs.report(JOB, { kind: "released" });
  expect(ends).toEqual([expect.stringMatching(/[^.]\.$/)]);
});

describe.each(Object.keys(ANSWERS))("while a proxy in front of the office responds with %s", (name) => {
  test("no outcome of a worker counts as reported, and its files are asked for again", async () => {
    const proxy = await openProxy();
    const { door, jobs, signal, ends } = await openWorker(proxy.url);
    await jobs.start(signal);
    proxy.fail(ANSWERS[name]!, 2);
    await expect(jobs.report(JOB, { kind: "released" })).rejects.toThrow(ServerAway);
    await expect(door.listFiles(JOB, signal)).rejects.toThrow(ServerAway);
    // The office has no such job, and responds itself.
    await jobs.report(JOB, { kind: "released" });
    await expect(door.listFiles(JOB, signal)).rejects.toThrow(ServerRefused);
    expect(ends).toEqual([]);
  });

  test("a venue server keeps its token, and fetches the event when the office responds", async () => {
    const proxy = await openProxy();
    const event = await world.makeEvent(`Night ${newId()}`);
    const venue = await world.addVenue(`Hall ${newId()}`, event);
    const ends: string[] = [];
    const onEnd = (why: string) => void ends.push(why);
    const { connection } = await world.openConnection(venue.token, { server: proxy.url, onEnd });
    proxy.fail(ANSWERS[name]!, 2);
    for (let i = 0; i < 2; i++) await expect(connection.turn()).rejects.toThrow();
    await connection.turn();
    expect(ends).toEqual([]);
    expect(await world.box.sql`select id from events where id = ${event}`).toHaveLength(1);
  });
});

test("a proxy that refuses the size of a result is named, and the upload is not repeated", async () => {
  const proxy = await openProxy();
  const { door, jobs, signal } = await openWorker(proxy.url);
  await jobs.start(signal);
  const path = join(await mkdtemp(join(tmpdir(), "followspot-result-")), "audio.mp3");
  await writeFile(path, "sound");
  proxy.fail(page("413 Request Entity Too Large"), 1);
  await expect(door.putFile(JOB, "audio.mp3", path, "0".repeat(64), signal)).rejects.toThrow(
    new ServerRefused(`a proxy in front of ${proxy.url} takes no files of this size; raise its limit`),
  );
});
