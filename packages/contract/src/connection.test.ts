import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Connection, type SocketEvents } from "./connection.ts";

/** What the test does at the other end of each socket, in the order they were opened. */
let sockets: (SocketEvents & { readonly sent: (string | ArrayBuffer)[]; isClosed: boolean })[];
let told: string[];
let connections: Connection[];

beforeEach(() => {
  vi.useFakeTimers();
  [sockets, told, connections] = [[], [], []];
});
afterEach(() => {
  for (const connection of connections) connection.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function open(more: Partial<ConstructorParameters<typeof Connection>[0]> = {}): Connection {
  const connection = new Connection({
    connect: (events) => {
      const socket = { ...events, sent: [] as (string | ArrayBuffer)[], isClosed: false };
      sockets.push(socket);
      return {
        send: (data) => socket.sent.push(data) > 0,
        close: () => (socket.isClosed = true),
        bufferedBytes: 0,
      };
    },
    silenceMs: 3500,
    onHeard: (text) => told.push(text),
    onLost: (code, isOver) => told.push(isOver ? `over ${code}` : `lost ${code}`),
    ...more,
  });
  connections.push(connection);
  return connection;
}

describe("a connection that is lost", () => {
  it("comes back, each time after a longer wait that is not the same for all", () => {
    open();
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      sockets.at(-1)!.closed(1006);
      const from = Date.now();
      while (sockets.length === i + 1) vi.advanceTimersByTime(10);
      waits.push(Date.now() - from);
    }
    for (const [i, wait] of waits.entries()) {
      const longest = Math.min(3000, 250 * 2 ** i);
      expect(wait).toBeGreaterThanOrEqual(longest / 2);
      expect(wait).toBeLessThanOrEqual(longest + 10);
    }
    expect(new Set(waits.slice(4)).size).toBeGreaterThan(1);
  });

  it("begins with short waits again once something was heard", () => {
    open();
    for (let i = 0; i < 6; i++) {
      sockets.at(-1)!.closed(1006);
      vi.advanceTimersByTime(3000);
    }
    sockets.at(-1)!.heard("hello");
    sockets.at(-1)!.closed(1006);
    const before = sockets.length;
    vi.advanceTimersByTime(260);
    expect(sockets).toHaveLength(before + 1);
  });

  it("is dead after its silence, and its socket is closed, though that never said so", () => {
    open();
    vi.advanceTimersByTime(3000);
    sockets[0]!.heard("state");
    vi.advanceTimersByTime(3400);
    expect(told).toEqual(["state"]);
    vi.advanceTimersByTime(400);
    expect(told).toEqual(["state", "lost 0"]);
    expect(sockets[0]!.isClosed).toBe(true);
  });

  it("hears nothing more of a socket that closes late", () => {
    open();
    vi.advanceTimersByTime(4500);
    sockets[0]!.heard("old");
    sockets[0]!.closed(1006);
    expect(told).toEqual(["lost 0"]);
    sockets[1]!.heard("new");
    expect(told).toEqual(["lost 0", "new"]);
  });

  it("does not come back after a close that is final", () => {
    open({ isFinal: (code) => code === 4401 });
    sockets[0]!.closed(4401);
    vi.advanceTimersByTime(60_000);
    expect([told, sockets.length]).toEqual([["over 4401"], 1]);
  });
});

describe("a page that wakes up", () => {
  const page = () => {
    const [window, document] = [new EventTarget(), Object.assign(new EventTarget(), { visibilityState: "visible" })];
    vi.stubGlobal("window", window);
    vi.stubGlobal("document", document);
    return { window, document };
  };
  const lost = () => {
    for (let i = 0; i < 6; i++) {
      sockets.at(-1)!.closed(1006);
      vi.advanceTimersByTime(3000);
    }
    sockets.at(-1)!.closed(1006);
    return sockets.length;
  };

  it.each(["online", "pageshow"])("opens a lost connection at once on %s", (type) => {
    const { window } = page();
    open();
    const before = lost();
    window.dispatchEvent(new Event(type));
    expect(sockets).toHaveLength(before + 1);
  });

  it("opens a lost connection at once when it is seen again, and not when it is hidden", () => {
    const { document } = page();
    open();
    const before = lost();
    document.visibilityState = "hidden";
    document.dispatchEvent(new Event("visibilitychange"));
    expect(sockets).toHaveLength(before);
    document.visibilityState = "visible";
    document.dispatchEvent(new Event("visibilitychange"));
    expect(sockets).toHaveLength(before + 1);
  });

  it("asks over a connection that seems to be open, and gives it up when no answer comes", () => {
    const { window } = page();
    const connection: Connection = open({
      silenceMs: 60_000,
      onWake: () => {
        connection.send("ping");
        connection.answerWithin(3500);
      },
    });
    vi.advanceTimersByTime(20_000);
    window.dispatchEvent(new Event("online"));
    expect(sockets[0]!.sent).toEqual(["ping"]);
    sockets[0]!.heard("pong");
    vi.advanceTimersByTime(10_000);
    expect(told).toEqual(["pong"]);
    window.dispatchEvent(new Event("online"));
    vi.advanceTimersByTime(4000);
    expect(told).toEqual(["pong", "lost 0"]);
  });

  it("says nothing to a connection that was closed", () => {
    const { window } = page();
    open().close();
    window.dispatchEvent(new Event("online"));
    expect(sockets).toHaveLength(1);
  });
});
