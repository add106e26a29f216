import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** What happens to requests that begin with some text, so many times. */
export type ConnectionFault = { readonly on: RegExp; times: number } & (
  | { readonly kind: "answer"; readonly text: string }
  | { readonly kind: "silence" }
  /** The request goes on once this is done. */
  | { readonly kind: "wait"; readonly for: () => Promise<unknown> }
  /** After so many bytes the answer ends, or no more of it comes. */
  | { readonly kind: "cut" | "stall"; readonly after: number }
  /** One byte of the answer, counted from its end of headers, is another one. */
  | { readonly kind: "flip"; readonly at: number }
);

/** A way to a server of this machine on which things go wrong as tests say. */
export interface FaultyConnection {
  readonly port: number;
  /** Requests that have come, by method and path. */
  readonly requests: string[];
  faults: ConnectionFault[];
  close(): Promise<void>;
}

export async function openFaultyConnection(to: number): Promise<FaultyConnection> {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  const script: { faults: ConnectionFault[] } = { faults: [] };
  const server = createServer((client) => {
    const there = connect(to, "127.0.0.1");
    let fault: ConnectionFault | undefined;
    /** Bytes of the answer's body so far; below 0 while its headers come. */
    let got = -1;
    for (const socket of [client, there]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        there.destroy();
      });
    }
    client.on("data", (chunk) => {
      const head = /^([A-Z]+ \S+) HTTP/.exec(chunk.toString("latin1", 0, 2000))?.[1];
      if (head !== undefined) {
        requests.push(head);
        got = -1;
        fault = script.faults.find(({ on, times }) => times > 0 && on.test(head));
        if (fault) fault.times--;
      }
      if (fault?.kind === "answer") client.end(fault.text);
      else if (fault?.kind === "wait" && head !== undefined) void fault.for().then(() => there.write(chunk));
      else if (fault?.kind !== "silence") there.write(chunk);
    });
    there.on("data", (chunk) => {
      const ends = got < 0 ? chunk.indexOf("\r\n\r\n") : -4;
      const from = got < 0 ? ends + 4 : 0;
      const before = Math.max(0, got);
      if (got < 0 && ends < 0) return client.write(chunk);
      got = before + chunk.length - from;
      if ((fault?.kind === "cut" || fault?.kind === "stall") && got > fault.after) {
        if (before < fault.after) client.write(chunk.subarray(0, from + fault.after - before));
        return fault.kind === "cut" && client.destroySoon();
      }
      if (fault?.kind === "flip" && before <= fault.at && fault.at < got) chunk[from + fault.at - before]! ^= 1;
      return client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(script, {
    port: (server.address() as AddressInfo).port,
    requests,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
