import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { StagePageMessage } from "@followspot/contract";
import { afterEach, beforeEach, expect, test } from "vitest";
import { StageConnection, type StageConnectionState } from "./stage-connection.ts";

let server: Server;
let connection: StageConnection | undefined;
let answer: (response: ServerResponse, key: unknown) => void;
let asked: number;
const told: StagePageMessage[] = [];
const states: StageConnectionState[] = [];

beforeEach(async () => {
  [told.length, states.length, asked] = [0, 0, 0];
  server = createServer((request, response) => {
    asked += 1;
    answer(response, request.headers["x-stage-key"]);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
});
afterEach(() => {
  connection?.close();
  server.closeAllConnections();
  server.close();
});

function open(silenceMs?: number): void {
  connection = new StageConnection({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/stage/E1/events`,
    key: "secret",
    onMessage: (message) => told.push(message),
    onState: (state) => states.at(-1) !== state && states.push(state),
    ...(silenceMs !== undefined && { silenceMs }),
  });
}
const beat = (server_time: number) => `data: ${JSON.stringify({ type: "beat", server_time })}\n\n`;
const times = () => told.map((message) => (message.type === "beat" ? message.server_time : message.type));

test("receives messages with its key, however they are split in transit", async () => {
  answer = (response, key) => {
    response.write(`${beat(1)}${beat(2).slice(0, 9)}`);
    setTimeout(() => response.write(key === "secret" ? `${beat(2).slice(9)}${beat(3)}` : ""), 30);
  };
  open();
  await expect.poll(times).toEqual([1, 2, 3]);
  expect(states).toEqual(["connecting", "live"]);
});

test("reports that it is behind after the server disconnects, and reconnects", async () => {
  answer = (response) => {
    response.write(beat(asked));
    if (asked < 3) setTimeout(() => response.destroy(), 20);
  };
  open();
  await expect.poll(times).toEqual([1, 2, 3]);
  expect(states).toEqual(["connecting", "live", "behind", "live", "behind", "live"]);
});

test("closes a connection without data", async () => {
  answer = (response) => void response.write(beat(asked));
  open(150);
  await expect.poll(() => asked).toBeGreaterThan(1);
  expect(states).toContain("behind");
});

test("retries while the server is unavailable", async () => {
  answer = (response) => (asked < 2 ? response.writeHead(503).end() : void response.write(beat(asked)));
  open();
  await expect.poll(times).toEqual([2]);
  expect(states).toEqual(["connecting", "live"]);
});

test("stops permanently if the link was withdrawn or never existed", async () => {
  answer = (response) => response.end(`${beat(1)}data: {"type":"withdrawn"}\n\n`);
  open();
  await expect.poll(() => states).toEqual(["connecting", "live", "ended"]);
  answer = (response) => response.writeHead(401).end();
  open();
  await expect.poll(() => states.slice(3)).toEqual(["connecting", "ended"]);
  await new Promise((later) => setTimeout(later, 500));
  expect(asked).toBe(2);
});
