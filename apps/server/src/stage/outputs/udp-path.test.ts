import { describe, expect, it, onTestFinished } from "vitest";
import { monotonicMs } from "./frame-ring.ts";
import { freeUdpPort, listenForDmx, until, type DmxNode } from "../testing/dmx-node.ts";
import { UdpPath, type UdpPathOptions } from "./udp-path.ts";
import { openUntil } from "../../testing/open-until.ts";

const PACKET = Buffer.alloc(64, 7);
const fails = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));
const loopback = { address: "127.0.0.1", family: 4 };

async function listen(port = 0): Promise<DmxNode> {
  return openUntil(onTestFinished, await listenForDmx(port));
}

/** Opens a path that records its reports and the times of its lookups. */
function openPath(port: number, lookup: NonNullable<UdpPathOptions["lookup"]>) {
  const told: (string | undefined)[] = [];
  const askedMs: number[] = [];
  const retryMs = 20;
  const path = new UdpPath({
    host: "node7.local",
    port,
    onError: () => {},
    onChange: (failure) => told.push(failure),
    retryMs,
    lookup: (host) => {
      askedMs.push(monotonicMs());
      return lookup(host);
    },
  });
  openUntil(onTestFinished, path);
  return { path, told, askedMs };
}

describe("a path to a node", () => {
  // kept: Stage and lamps | An output without a network or a known host at the start stayed dark permanently | also
  it("retries an unknown host, and sends once it can be resolved", async () => {
    const node = await listen();
    let asked = 0;
    const { path, told, askedMs } = openPath(node.port, () =>
      ++asked < 5 ? fails("ENOTFOUND") : Promise.resolve(loopback),
    );
    await until(() => path.isOpen);
    path.send(PACKET, monotonicMs());
    await until(() => node.packets.length > 0);
    expect(told).toEqual(["Host not found: node7.local", undefined]);
    const waits = askedMs.slice(1).map((ms, i) => ms - askedMs[i]!);
    expect(waits.every((wait) => wait >= 19)).toBe(true);
  });

  // kept: Stage and lamps | An output without a network or a known host at the start stayed dark permanently | failed
  // on the old code
  it("reopens when the network is back", async () => {
    const node = await listen();
    let asked = 0;
    const { path, told } = openPath(node.port, () => (++asked < 3 ? fails("ENETUNREACH") : Promise.resolve(loopback)));
    await until(() => path.isOpen);
    path.send(PACKET, monotonicMs());
    await until(() => node.packets.length > 0);
    expect(told).toEqual(["No network leads to node7.local", undefined]);
  });

  it("reports a refusal by the kernel, and later tries another address of the host", async () => {
    const node = await listen();
    let asked = 0;
    // Connecting to the broadcast address is refused by the kernel; nothing is sent.
    const broadcast = { address: "255.255.255.255", family: 4 };
    const { path, told } = openPath(node.port, () => Promise.resolve(++asked === 1 ? broadcast : loopback));
    await until(() => path.isOpen);
    expect(told).toEqual(["This machine does not allow sending to node7.local", undefined]);
  });

  it("reports that a node refuses, keeps sending, and reports that it is back", async () => {
    const port = await freeUdpPort();
    const { path, told } = openPath(port, () => Promise.resolve(loopback));
    await until(() => path.isOpen);
    const send = () => path.send(PACKET, monotonicMs());
    await until(() => (send(), told.length === 2));
    const node = await listen(port);
    await until(() => (send(), node.packets.length > 0 && told.length === 3));
    expect(told).toEqual([undefined, `Nothing listens at node7.local on port ${port}`, undefined]);
  });

  it("stops lookups once it is closed", async () => {
    const { path, askedMs } = openPath(9, () => fails("EAI_AGAIN"));
    await until(() => askedMs.length === 2);
    path.close();
    const asked = askedMs.length;
    await new Promise((later) => setTimeout(later, 60)); // three times the retry delay
    expect(askedMs).toHaveLength(asked);
  });
});
