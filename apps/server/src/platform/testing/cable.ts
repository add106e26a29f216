import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A way to a server of a test, such as a database, that can be cut. */
export interface Cable {
  readonly url: string;
  /** Whether new connections are taken. */
  isUp: boolean;
  /** Ends what is connected; by a reset, or as a database that was killed. */
  cut(how: "reset" | "end"): void;
  /** Takes nothing more of what is connected, as a host that was switched off; new connections are as before. */
  freeze(): void;
  /** Holds back what the server says, until it is let go. */
  hold(): void;
  letGo(): void;
  /** Cuts where the server says `text` next: it has done so, and no client hears of it. By a reset, or as one that was killed. */
  loseAnswer(text: string, how?: "reset" | "end"): void;
  /** Where the server says `text` next, its last character arrives as another. */
  damage(text: string): void;
  /** Bytes that went through, both ways. */
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
