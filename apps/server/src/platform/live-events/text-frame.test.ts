import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { textFrame } from "./text-frame.ts";

const LENGTHS = [0, 1, 125, 126, 127, 65_535, 65_536, 1_000_000];

test("every client reads a prebuilt frame as the same text, at any length", async () => {
  const texts = [
    ...LENGTHS.map((length) => "x".repeat(length)),
    "Grüße aus 東京 🎉",
    "é".repeat(63),
    "€".repeat(30_000),
  ];
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
  const frames = texts.map(textFrame);
  server.on("connection", (ws, { socket }) => {
    // Interleaved with frames of `ws`.
    frames.forEach((frame, i) => {
      ws.send(`before ${i}`);
      socket.write(frame);
    });
  });
  await once(server, "listening");
  const read = async () => {
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const heard: string[] = [];
    await new Promise<void>((resolve, reject) => {
      client.on("error", reject);
      client.on("message", (data, isBinary) => {
        heard.push(isBinary ? "binary" : String(data));
        if (heard.length === texts.length * 2) resolve();
      });
    });
    client.terminate();
    return heard;
  };
  for (const heard of await Promise.all([read(), read(), read()]))
    expect(heard).toEqual(texts.flatMap((text, i) => [`before ${i}`, text]));
  server.close();
});
