import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import WebSocket, { WebSocketServer } from "ws";
import { UnknownSockets } from "./unknown-sockets.ts";

const MOST = 20;

/** Opens sockets at once, and returns the server's side of them, in the order of their arrival. */
async function openAtOnce(count: number, unknown: UnknownSockets): Promise<WebSocket[]> {
  const sockets = new WebSocketServer({ noServer: true, clientTracking: false });
  const server = createServer();
  const waiting: (() => void)[] = [];
  const opened: WebSocket[] = [];
  // All upgrades are accepted in one turn of the event loop, as in a burst.
  server.on("upgrade", (request, socket, head) => {
    waiting.push(() =>
      sockets.handleUpgrade(request, socket, head, (accepted) => {
        opened.push(accepted);
        unknown.add(accepted);
      }),
    );
    if (waiting.length === count) for (const accept of waiting) accept();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const clients = Array.from({ length: count }, () =>
    new WebSocket(`ws://127.0.0.1:${port}`).on("error", () => undefined),
  );
  onTestFinished(() => {
    for (const client of clients) client.terminate();
    server.close();
  });
  await expect.poll(() => opened.length).toBe(count);
  return opened;
}

const isOpen = ({ readyState, OPEN }: WebSocket) => readyState === OPEN;

// kept: Doors | A burst of anonymous sockets passed the limit of each endpoint | failed on the old code
it("keeps the newest sockets of a burst, and not more than the limit", async () => {
  const unknown = new UnknownSockets(MOST);
  const opened = await openAtOnce(5 * MOST, unknown);
  expect(unknown.size).toBe(MOST);
  await expect.poll(() => opened.filter(isOpen)).toEqual(opened.slice(-MOST));
});

it("does not close a socket that has authenticated", async () => {
  const unknown = new UnknownSockets(MOST);
  const [first, ...others] = await openAtOnce(MOST, unknown);
  unknown.release(first!);
  others[0]!.terminate();
  await expect.poll(() => unknown.size).toBe(MOST - 2);
  const later = await openAtOnce(MOST, unknown);
  await expect.poll(() => others.filter(isOpen)).toEqual([]);
  expect([isOpen(first!), later.every(isOpen)]).toEqual([true, true]);
});
