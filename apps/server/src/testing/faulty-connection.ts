import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** Fault for requests that match a pattern, and how often it occurs. */
export type ConnectionFault = { readonly on: RegExp; times: number } & (
  | { readonly kind: "answer"; readonly text: string }
  | { readonly kind: "silence" }
  /** Forwards the request once this is done. */
  | { readonly kind: "wait"; readonly for: () => Promise<unknown> }
  /** After this many bytes the response ends or stalls. */
  | { readonly kind: "cut" | "stall"; readonly after: number }
  /** Changes one byte of the response, counted from the end of its headers. */
  | { readonly kind: "flip"; readonly at: number }
);

/** Proxy to a local server that injects faults. */
export interface FaultyConnection {
  readonly port: number;
  /** Received requests, by method and path. */
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
    /** Bytes of the response body so far; negative during its headers. */
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
