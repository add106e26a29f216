/**
 * Thousands of clients in a process of their own. They read no more than they must, straight from the socket, so that
 * what is measured is the server: a frame's length, and the number of the event in it.
 */
import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { clockMs, MARK, type Ask, type Heard } from "./asks.ts";

/** At most so many greet at once: the door of the product has ten seconds for each. */
const GREETING_AT_ONCE = 100;
const OPCODE = { text: 1, close: 8, ping: 9, pong: 10 } as const;
const SUBSCRIBED = Buffer.from('"Subscribed"');
const MARKED = Buffer.from(MARK);
/** What arrives is looked at at once: all sockets read into the same place. */
const arrived = Buffer.alloc(64 * 1024);

/** One client: greets, then notes when it hears which event. */
class Listener {
  readonly heardAt = new Map<number, number>();
  doubled = 0;
  isClosed = false;
  readonly #socket: Socket;
  #rest: Buffer = Buffer.alloc(0);
  #isUpgraded = false;
  #welcome = () => {};
  readonly #hello: string;

  constructor({ port, path, hello }: { port: number; path: string; hello: string }) {
    this.#hello = hello;
    const callback = (length: number) => this.#read(arrived.subarray(0, length));
    this.#socket = connect({ port, host: "127.0.0.1", onread: { buffer: arrived, callback } });
    this.#socket.setNoDelay(true);
    this.#socket.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\n\r\n`,
    );
    this.#socket.on("error", () => {});
    this.#socket.on("close", () => {
      this.isClosed = true;
      this.#welcome();
    });
  }

  /** Resolves once it listens. */
  joined(): Promise<void> {
    return new Promise((resolve) => (this.#welcome = resolve));
  }

  leave(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): boolean {
    const at = clockMs();
    let bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    if (!this.#isUpgraded) {
      const end = bytes.indexOf("\r\n\r\n");
      if (end < 0) return this.#keep(bytes);
      if (!bytes.subarray(0, 12).equals(Buffer.from("HTTP/1.1 101"))) this.#socket.destroy();
      this.#isUpgraded = true;
      bytes = bytes.subarray(end + 4);
      if (this.#hello === "") this.#welcome();
      else this.#say(OPCODE.text, Buffer.from(this.#hello));
    }
    for (let frame = firstFrame(bytes); frame; frame = firstFrame(bytes)) {
      this.#hear(frame.opcode, bytes.subarray(frame.from, frame.to), at);
      bytes = bytes.subarray(frame.to);
    }
    return this.#keep(bytes);
  }

  #keep(rest: Buffer): boolean {
    this.#rest = rest.length > 0 ? Buffer.from(rest) : rest;
    return true; // goes on reading
  }

  #hear(opcode: number, payload: Buffer, at: number): void {
    if (opcode === OPCODE.ping) return this.#say(OPCODE.pong, payload);
    if (opcode !== OPCODE.text) return;
    const mark = payload.indexOf(MARKED);
    if (mark < 0) return payload.includes(SUBSCRIBED) ? this.#welcome() : undefined;
    const event = Number.parseInt(payload.toString("latin1", mark + MARK.length, mark + MARK.length + 6), 10);
    if (this.heardAt.has(event)) this.doubled++;
    else this.heardAt.set(event, at);
  }

  /** Clients mask what they say; a mask of zeros leaves it as it is. */
  #say(opcode: number, payload: Buffer): void {
    const head = Buffer.alloc(payload.length < 126 ? 6 : 8);
    head[0] = 0x80 | opcode;
    head[1] = 0x80 | (payload.length < 126 ? payload.length : 126);
    if (payload.length >= 126) head.writeUInt16BE(payload.length, 2);
    this.#socket.write(Buffer.concat([head, payload]));
  }
}

/** Where the first whole frame of what a server said lies; undefined while some of it is missing. */
function firstFrame(bytes: Buffer): { opcode: number; from: number; to: number } | undefined {
  if (bytes.length < 4)
    return bytes.length >= 2 && bytes[1] === 0 ? { opcode: bytes[0]! & 15, from: 2, to: 2 } : undefined;
  const short = bytes[1]! & 127;
  const from = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < from) return undefined;
  const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  return bytes.length >= from + length ? { opcode: bytes[0]! & 15, from, to: from + length } : undefined;
}

function tell(listeners: readonly Listener[], begun: readonly number[]): Heard {
  const delays = listeners.flatMap(({ heardAt }) => [...heardAt].map(([event, at]) => at - (begun[event] ?? NaN)));
  const sorted = Float64Array.from(delays).sort();
  const share = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? NaN;
  return {
    p50: share(0.5),
    p99: share(0.99),
    slowest: share(1),
    lost: listeners.length * begun.length - sorted.length,
    doubled: listeners.reduce((sum, { doubled }) => sum + doubled, 0),
    closed: listeners.filter(({ isClosed }) => isClosed).length,
  };
}

const listeners: Listener[] = [];
const answer = (body: object) => process.send?.(body);
process.on("message", (ask: Ask) => {
  if (ask.do === "tell") return answer(tell(listeners, ask.begun));
  if (ask.do === "leave") {
    for (const listener of listeners.splice(0)) listener.leave();
    return answer({});
  }
  const waiting = [...ask.hellos];
  const greet = async () => {
    for (let hello = waiting.pop(); hello !== undefined; hello = waiting.pop()) {
      const listener = new Listener({ port: ask.port, path: ask.path, hello });
      listeners.push(listener);
      await listener.joined();
    }
  };
  void Promise.all(Array.from({ length: GREETING_AT_ONCE }, greet)).then(() =>
    answer({ closed: listeners.filter(({ isClosed }) => isClosed).length }),
  );
});
process.on("disconnect", () => process.exit(0));
