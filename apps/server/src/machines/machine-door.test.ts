import { readFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { ServerAway } from "./machine-door.ts";
import { ServerDoor } from "./workers/server-door.ts";

function openDoor(server: string) {
  const lines: string[] = [];
  return { door: new ServerDoor({ server, token: "fsw_x", say: (line) => lines.push(line), onEnd: () => {} }), lines };
}

// kept: Doors | A remote machine whose office had a certificate of its own authority waited without a hint | failed on the old code
test("a certificate of an unknown authority is named with what to do", async () => {
  const pem = await readFile(new URL("../platform/testing/tls-for-tests.pem", import.meta.url));
  const server = createServer({ key: pem, cert: pem }, (_, response) => response.end("{}"));
  onTestFinished(() => void server.close());
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { door, lines } = openDoor(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await expect(door.ask("/api/worker/hello", {})).rejects.toThrow(ServerAway);
  expect(lines).toEqual([
    expect.stringMatching(/download its authority's certificate from \/trust.*NODE_EXTRA_CA_CERTS/),
  ]);
});

test.each([
  ["http://192.0.2.7:3000", true],
  ["http://office.example", true],
  ["https://office.example", false],
  ["http://localhost:3000", false],
  ["http://127.0.0.1:3000", false],
  ["http://[::1]:3000", false],
])("for %s, a warning says that the token can be read by others: %s", (server, isWarned) => {
  expect(openDoor(server).lines.join()).toMatch(isWarned ? /unencrypted/ : /^$/);
});
