import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { processesOn, removeData, startProduct, type Product } from "./testing/product.ts";

const MB = 1024 * 1024;
const ROUNDS = 3;
let product: Product;
let port: number;

beforeAll(async () => {
  product = await startProduct();
  port = Number(new URL(product.url).port);
});
afterAll(async () => {
  await product.stop();
  await removeData(product.dataDir);
});

/** Writes as long as it is taken, up to `megabytes`; resolves with what came back. */
function pour(head: string, megabytes: number): Promise<string> {
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
    socket.write(head, more);
  });
}

const upgrade = (path: string, more = "") =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${more}\r\n`;

function reset(request: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(request, () => socket.resetAndDestroy()));
    socket.on("error", () => {}).on("close", () => resolve());
  });
}

async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}

test("strangers cost the API neither its process nor its memory, again and again", async () => {
  const [pid] = await processesOn(product.dataDir, "main-api.ts");
  const post = (path: string, more: string) => `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
  for (let round = 0; round < ROUNDS; round++) {
    const answers = await Promise.all([
      pour(post("/api/songs/upload", `Content-Type: text/plain\r\nContent-Length: ${560 * MB}\r\n`), 200),
      pour(post("/api/songs/upload", `Content-Type: application/json\r\nContent-Length: ${2048 * MB}\r\n`), 200),
      pour(post("/followspot.user.v1.UserService/CreateUser", `Content-Length: ${560 * MB}\r\n`), 200),
    ]);
    for (const answer of answers) expect(answer).toMatch(/^(HTTP\/1\.1 401 |$)/);
    const evil = "Origin: https://evil.example\r\n";
    for (let i = 0; i < 10; i++) {
      const paths = ["/nowhere", "/ws/events", "/lights/playback/01ARZ3NDEKTSV4RRFFQ69G5FAV"];
      await Promise.all(paths.flatMap((path) => Array.from({ length: 7 }, () => reset(upgrade(path, evil)))));
    }
    const idle = Array.from({ length: 100 }, () => connect(port, "127.0.0.1").on("error", () => {}));
    for (const socket of idle) socket.write("GET /admin HTTP/1.1\r\nHost: loc");
    expect((await fetch(`${product.url}/%`)).status).toBe(400);
    const deep = { method: "POST", headers: { "content-type": "application/json" }, body: "[".repeat(100_000) };
    const refused = await fetch(`${product.url}/followspot.auth.v1.AuthService/SendLoginCode`, deep);
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([400, "invalid_argument"]);
    expect(await product.call("auth.v1.AuthService/GetSession", {})).toMatchObject({ user: { roles: ["Admin"] } });
    for (const socket of idle) socket.destroy();
  }
  expect(await processesOn(product.dataDir, "main-api.ts")).toEqual([pid]);
  expect(await memoryOf(pid ?? 0)).toBeLessThan(300);
});

test("answers are packed, files of the console by its build", async () => {
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
