import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A way to a database of a test that can be cut as a cable is. */
export interface DatabaseLine {
  readonly url: string;
  /** Whether new connections are taken. */
  isUp: boolean;
  /** Ends what is connected; by a reset, or as a database that was killed. */
  cut(how: "reset" | "end"): void;
  /** Cuts where the database says `text` next: it has done so, and nobody hears of it. */
  loseAnswer(text: string): void;
  close(): Promise<void>;
}

export async function openDatabaseLine(databaseUrl: string): Promise<DatabaseLine> {
  const url = new URL(databaseUrl);
  const [host, port] = [url.hostname, Number(url.port || 5432)];
  const connected = new Set<Socket>();
  let awaited = "";
  const server = createServer((near) => {
    if (!line.isUp) return void near.resetAndDestroy();
    const far = connect(port, host);
    connected.add(near);
    near.on("data", (bytes) => far.write(bytes));
    far.on("data", (bytes) => {
      if (awaited === "" || !bytes.includes(awaited)) return void near.write(bytes);
      awaited = "";
      near.destroy();
    });
    near.on("error", () => far.destroy());
    near.on("close", () => (connected.delete(near), far.end()));
    far.on("error", () => near.destroy()).on("close", () => near.end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  const line: DatabaseLine = {
    url: url.href,
    isUp: true,
    cut: (how) => connected.forEach((near) => (how === "reset" ? near.resetAndDestroy() : near.destroy())),
    loseAnswer: (text) => (awaited = text),
    close: async () => {
      line.cut("reset");
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return line;
}
