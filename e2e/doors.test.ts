import { readdir, readFile } from "node:fs/promises";
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { processesOn, removeData, startProduct, until, type Product } from "./testing/product.ts";

const MB = 1024 * 1024;
const MAX_MEMORY_MB = 300;
const ROUNDS = 3;
/** Duration of the attack, minutes; without it three rounds. */
const MINUTES = Number(process.env.STRANGER_MINUTES ?? 0);
const SONG = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
let product: Product;
let port: number;
let api: number;

beforeAll(async () => {
  product = await startProduct();
  port = Number(new URL(product.url).port);
});
beforeEach(async () => {
  const [pid] = await processesOn(product.dataDir, "main-api.");
  api = pid ?? 0;
});
afterAll(async () => {
  await product.stop();
  await removeData(product.dataDir);
});

/** Sends a POST without a sign-in until the server stops reading, up to `megabytes`; resolves with the response. */
function pour(path: string, type: string, saidMegabytes: number, megabytes = saidMegabytes): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const block = Buffer.alloc(MB, "x");
    let heard = "";
    let left = megabytes;
    const more = () => {
      while (left > 0 && !socket.destroyed) {
        left--;
        if (!socket.write(block)) return;
      }
      if (left === 0) socket.end();
    };
    socket.on("data", (chunk) => (heard += chunk.toString())).on("drain", more);
    socket.on("error", () => resolve(heard)).on("close", () => resolve(heard));
    const length = `Content-Length: ${saidMegabytes * MB}`;
    socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\n${length}\r\n\r\n`, more);
  });
}

/** Requests a socket at `path` and resets the connection before the response. */
function reset(path: string, more = ""): Promise<void> {
  const request =
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
    `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${more}\r\n`;
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(request, () => socket.resetAndDestroy()));
    socket.on("error", () => {}).on("close", () => resolve());
  });
}

const EVIL = "Origin: https://evil.example\r\n";
const times = <Result>(count: number, work: () => Promise<Result>) => Promise.all(Array.from({ length: count }, work));

async function pourBodies(): Promise<void> {
  const answers = await Promise.all([
    pour("/api/songs/upload", "text/plain", 560),
    pour("/api/songs/upload", "application/json", 2048, 200),
    pour("/followspot.user.v1.UserService/CreateUser", "application/json", 560),
  ]);
  // Empty if the response was lost with the connection.
  for (const answer of answers) expect(answer).toMatch(/^(HTTP\/1\.1 (401|413) |$)/);
}

async function resetUpgrades(): Promise<void> {
  for (const path of ["/nowhere", "/ws/events", `/lights/playback/${SONG}`])
    for (let i = 0; i < 10; i++) await times(20, () => reset(path, i % 2 === 0 ? EVIL : ""));
}

/** Opens a hundred connections whose headers never end, and while they are open sends other malformed requests. */
async function crawl(): Promise<void> {
  const idle = Array.from({ length: 100 }, () => connect(port, "127.0.0.1").on("error", () => {}));
  for (const socket of idle) socket.write("GET /admin HTTP/1.1\r\nHost: loc");
  expect((await fetch(`${product.url}/%`)).status).toBe(400);
  const nested = async (levels: number) => {
    const deep = { method: "POST", headers: { "content-type": "application/json" }, body: "[".repeat(levels) };
    const refused = await fetch(`${product.url}/followspot.auth.v1.AuthService/SendLoginCode`, deep);
    return [refused.status, ((await refused.json()) as { code: string }).code];
  };
  expect(await nested(16_000)).toEqual([400, "invalid_argument"]);
  expect(await nested(100_000)).toEqual([413, "resource_exhausted"]);
  expect(await product.call("auth.v1.AuthService/GetSession", {})).toMatchObject({ user: { roles: ["Admin"] } });
  for (const socket of idle) socket.destroy();
}

/** Returns the API's current and peak memory, MB. */
async function memory(): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${api}/status`, "utf8");
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]) / 1024;
  return { now: megabytes("VmRSS"), peak: megabytes("VmHWM") };
}
const openFiles = async () => (await readdir(`/proc/${api}/fd`)).length;
const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function expectSameApi(): Promise<void> {
  expect(await processesOn(product.dataDir, "main-api.")).toEqual([api]);
  expect((await fetch(`${product.url}/health`)).status).toBe(200);
  expect((await memory()).peak).toBeLessThan(MAX_MEMORY_MB);
}

// kept: Doors | Any client could crash the API with one large upload: it was read completely before it was rejected |
// failed on the old code
test("a body of 560 MB without a sign-in is not read and does not end the API", async () => {
  await pourBodies();
  await expectSameApi();
});

// kept: Doors | Clients that disconnected while their upgrade was rejected crashed the API | also
test("rejected upgrades whose clients reset do not end the API", async () => {
  await resetUpgrades();
  await expectSameApi();
});

test(
  "requests without a sign-in neither end the API nor grow its memory, repeatedly",
  async () => {
    const held: number[] = [];
    const filesBefore = await openFiles();
    for (const end = Date.now() + MINUTES * 60_000; held.length < ROUNDS || Date.now() < end;) {
      await pourBodies();
      await resetUpgrades();
      await crawl();
      held.push((await memory()).now);
    }
    await expectSameApi();
    await until(async () => (await openFiles()) <= filesBefore + 5);
    if (MINUTES === 0) return;
    const third = Math.floor(held.length / 3);
    const [early, late] = [middle(held.slice(0, third)), middle(held.slice(-third))];
    process.stderr.write(
      `strangers: ${held.length} rounds in ${MINUTES} minutes, process ${api} throughout; memory ${early.toFixed(0)} MB in ` +
        `the first third, ${late.toFixed(0)} MB in the last, ${(await memory()).peak.toFixed(0)} MB at most\n`,
    );
    expect(late - early).toBeLessThan(20);
  },
  MINUTES * 60_000 + 180_000,
);

// kept: Console | Scripts and responses were sent uncompressed | also
test("responses are compressed, and the console's files are precompressed by its build", async () => {
  const page = await fetch(`${product.url}/admin`, { headers: { "accept-encoding": "br" } });
  const script = /src="(\/admin\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1];
  const packed = await fetch(`${product.url}${script}`, { headers: { "accept-encoding": "br" } });
  expect(packed.headers.get("content-encoding")).toBe("br");
  const people = Array.from({ length: 40 }, (_, i) =>
    product.call("user.v1.UserService/CreateUser", { name: `P ${i}` }),
  );
  await Promise.all(people);
  const list = await fetch(`${product.url}/followspot.user.v1.UserService/ListUsers`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${await product.token()}`,
      "content-type": "application/json",
      "accept-encoding": "gzip",
    },
    body: "{}",
  });
  expect(list.headers.get("content-encoding")).toBe("gzip");
  expect(((await list.json()) as { users: unknown[] }).users.length).toBeGreaterThanOrEqual(41);
});
