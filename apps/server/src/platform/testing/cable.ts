import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A proxy to a server in tests, such as a database, whose connections can be cut. */
export interface Cable {
  readonly url: string;
  /** Whether new connections are accepted. */
  isUp: boolean;
  /** Cuts open connections, by a reset or like a killed server. */
  cut(how: "reset" | "end"): void;
  /** Stops reading from open connections, like a host without power; new connections are unaffected. */
  freeze(): void;
  /** Holds the server's data back until it is released. */
  hold(): void;
  letGo(): void;
  /**
   * Cuts the connection when the server next sends `text`: the server has acted, but no client receives the response.
   * By a reset or like a killed server.
   */
  loseAnswer(text: string, how?: "reset" | "end"): void;
  /** Corrupts the last character when the server next sends `text`. */
  damage(text: string): void;
  /** Bytes transferred in both directions. */
  readonly carried: number;
  close(): Promise<void>;
}

/** @param serverUrl with its port */
export async function openCable(serverUrl: string): Promise<Cable> {
  const url = new URL(serverUrl);
  const [host, port] = [url.hostname, Number(url.port)];
  const connected = new Set<Socket>();
  let awaited = "";
  let cutsBy: "reset" | "end" = "end";
  let harmed = "";
  let carried = 0;
  const held: (() => void)[] = [];
  let holds = false;
  const server = createServer((near) => {
    if (!cable.isUp) return void near.resetAndDestroy();
    const far = connect(port, host);
    connected.add(near);
    near.on("data", (bytes) => {
      carried += bytes.length;
      far.write(bytes);
    });
    far.on("data", (bytes) => {
      carried += bytes.length;
      const harmedAt = harmed === "" ? -1 : bytes.indexOf(harmed);
      if (harmedAt >= 0) {
        bytes[harmedAt + Buffer.byteLength(harmed) - 1]! ^= 1;
        harmed = "";
      }
      if (holds) return void held.push(() => near.write(bytes));
      if (awaited === "" || !bytes.includes(awaited)) return void near.write(bytes);
      awaited = "";
      end(near, cutsBy);
    });
    near.on("error", () => far.destroy());
    near.on("close", () => (connected.delete(near), far.end()));
    far.on("error", () => near.destroy()).on("close", () => near.end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  const cable: Cable = {
    url: url.href,
    isUp: true,
    cut: (how) => connected.forEach((near) => end(near, how)),
    freeze: () => connected.forEach((near) => near.pause()),
    hold: () => void (holds = true),
    letGo: () => {
      holds = false;
      for (const send of held.splice(0)) send();
    },
    loseAnswer: (text, how = "end") => ([awaited, cutsBy] = [text, how]),
    damage: (text) => (harmed = text),
    get carried() {
      return carried;
    },
    close: async () => {
      cable.cut("reset");
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return cable;
}

function end(socket: Socket, how: "reset" | "end"): void {
  if (how === "reset") socket.resetAndDestroy();
  else socket.destroy();
}
