import { createSocket } from "node:dgram";
import { outputOfUrl, type Output, type UsbDevice } from "@followspot/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import { ArtDmxPacket } from "../packets/artnet-packet.ts";
import { openMulticast } from "../outputs/multicast.ts";
import { DISCOVERY_UNIVERSE, readSacn, SacnDataPacket } from "../packets/sacn-packet.ts";
import { SacnWatch } from "./sacn-watch.ts";
import { emulateNode, PAR_NODE, type EmulatedNode } from "../testing/artnet-emulator.ts";
import { freeUdpPort, until } from "../testing/dmx-node.ts";
import { WireWatch } from "./wire-watch.ts";
import { openUntil } from "../../testing/open-until.ts";

const CARD = "127.0.0.1";
const SOURCE = { cid: new Uint8Array(16).fill(7), name: "ours" };
const OTHER = { cid: new Uint8Array(16).fill(9), name: "Other desk" };

async function startWatch(outputs: readonly Output[], devices: readonly UsbDevice[] = [], searchAddresses = [CARD]) {
  const ports = { artnet: await freeUdpPort(), sacn: await freeUdpPort() };
  const watch = new WireWatch({
    source: SOURCE,
    isSending: () => true,
    searchAddresses,
    ports,
    listDevices: async () => [...devices],
  });
  openUntil(onTestFinished, watch);
  watch.setOutputs(outputs);
  const told = () => watch.tell({ outputs: outputs.map((output) => ({ ...SENDING, id: output.id })) });
  return { watch, ports, told };
}

const SENDING = { protocol: "artnet", target: "", packets: 1, send_errors: 0, state: "sending", since: "", last_error: "" } as const; // prettier-ignore

async function emulate(nodes?: readonly EmulatedNode[], port = 0) {
  return openUntil(onTestFinished, await emulateNode(nodes, port));
}

const toNode = (port: number, address = 0) => outputOfUrl(`artnet://${CARD}:${port}/${address}`);

describe("nodes", () => {
  it("of outputs are polled at once, named, and reported as missing when they stop answering", async () => {
    const node = await emulate();
    const { told } = await startWatch([toNode(node.port)]);
    await until(async () => (await told()).outputs[0]!.node_name === "Par node");
    expect((await told()).outputs).toMatchObject([{ state: "sending", node_seen_at: expect.any(String) }]);
    const replies = node.replies;
    node.replies = [];
    const silentMs = performance.now();
    await until(async () => (await told()).outputs[0]!.state === "down");
    expect(performance.now() - silentMs).toBeLessThan(14_000);
    expect((await told()).outputs[0]!.last_error).toContain("Par node at 127.0.0.1 does not answer any more");
    node.replies = replies;
    await until(async () => (await told()).outputs[0]!.state === "sending");
    const gaps = node.polls.slice(1).map((ms, i) => ms - node.polls[i]!);
    expect(Math.max(...gaps)).toBeLessThan(4500);
  });

  it("without an output are found by a search only", async () => {
    const { watch, ports, told } = await startWatch([]);
    const node = await emulate([PAR_NODE], ports.artnet);
    expect(await told()).not.toHaveProperty("searching_until");
    expect(node.polls).toEqual([]);
    expect(Date.parse(watch.search()!) - Date.now()).toBeGreaterThan(50_000);
    await until(async () => (await told()).nodes.length === 1);
    expect((await told()).nodes).toMatchObject([{ host: CARD, port: ports.artnet, port_addresses: [0, 1] }]);
  });

  it("are found at another port if the search names it", async () => {
    const node = await emulate([PAR_NODE]);
    const { watch, told } = await startWatch([], [], [`${CARD}:${node.port}`]);
    watch.search();
    await until(async () => (await told()).nodes.length === 1);
    expect((await told()).nodes).toMatchObject([{ host: CARD, port: node.port, port_addresses: [0, 1] }]);
  });

  it("that share an address are reported with advice", async () => {
    const node = await emulate([PAR_NODE, { ...PAR_NODE, name: "Bar node", mac: "112233445566" }]);
    const { told } = await startWatch([toNode(node.port)]);
    await until(async () => (await told()).notices.some((notice) => notice.includes("have one address")));
  });
});

describe("foreign sources", () => {
  it("of Art-Net are reported on the universes they share", async () => {
    // The output goes elsewhere, so frames that arrive here are from another sender.
    const node = await emulate();
    const { ports, told } = await startWatch([toNode(node.port, 5)]);
    await until(() => node.polls.length > 0);
    const foreign = openUntil(onTestFinished, createSocket("udp4"));
    for (const address of [4, 5]) foreign.send(new ArtDmxPacket(address).next(), ports.artnet, CARD);
    await until(async () => (await told()).foreign_sources.length > 0);
    expect((await told()).foreign_sources).toMatchObject([
      { protocol: "artnet", address: CARD, port_address: 5, universes: [1], advice: expect.stringContaining("merge") },
    ]);
  });

  it("of sACN are detected in the multicast group of the universe, except ours", async () => {
    const output = { ...outputOfUrl("sacn://multicast/9", 2), localAddress: CARD };
    const { ports, told } = await startWatch([output]);
    const socket = openUntil(onTestFinished, await openMulticast("239.255.0.9", ports.sacn, CARD));
    const [ours, theirs] = [new SacnDataPacket(SOURCE, 9), new SacnDataPacket(OTHER, 9)];
    theirs.setPriority(150);
    await until(async () => {
      socket.send(ours.next());
      socket.send(theirs.next());
      return (await told()).foreign_sources.length > 0;
    });
    expect((await told()).foreign_sources).toMatchObject([
      {
        protocol: "sacn",
        name: "Other desk",
        priority: 150,
        universes: [2],
        advice: expect.stringContaining("not us"),
      },
    ]);
    for (let i = 0; i < 3; i++) socket.send(theirs.nextTerminated());
    await until(async () => (await told()).foreign_sources.length === 0);
  });
});

it("announces the universes it multicasts, and only while it sends", async () => {
  const port = await freeUdpPort();
  const listener = openUntil(onTestFinished, createSocket({ type: "udp4", reuseAddr: true }));
  const heard: number[][] = [];
  listener.on("message", (bytes) => {
    const packet = readSacn(bytes);
    if (packet?.cid === Buffer.from(SOURCE.cid).toString("hex")) heard.push([...packet.universes]);
  });
  const group = `239.255.${DISCOVERY_UNIVERSE >> 8}.${DISCOVERY_UNIVERSE & 255}`;
  await new Promise<void>((resolve) => listener.bind(port, group, resolve));
  listener.addMembership(group, CARD);
  let isSending = false;
  const watch = new SacnWatch({
    source: SOURCE,
    port,
    isSending: () => isSending,
    onSource: () => undefined,
    announceEveryMs: 30,
  });
  openUntil(onTestFinished, watch);
  const multicast = (universe: number) => ({ ...outputOfUrl(`sacn://multicast/${universe}`), localAddress: CARD });
  watch.setOutputs([multicast(300), outputOfUrl(`sacn://${CARD}/5`), multicast(2)]);
  await new Promise((later) => setTimeout(later, 100));
  expect(heard).toEqual([]);
  isSending = true;
  await until(() => heard.length > 1);
  expect(heard[0]).toEqual([2, 300]);
});

it("reports two adapters with one serial number, and names an output's adapter", async () => {
  const adapter = (path: string, name: string) => ({ path, name, serial: "EN1", protocol: "enttec_pro" as const });
  const output = { ...outputOfUrl("enttec_pro:///dev/ttyUSB1"), deviceSerial: "EN1" };
  const { told } = await startWatch([output], [adapter("/dev/ttyUSB0", "A"), adapter("/dev/ttyUSB1", "B")]);
  const { outputs, notices } = await told();
  expect(outputs).toMatchObject([{ node_name: "B" }]);
  expect(notices).toEqual([expect.stringContaining("/dev/ttyUSB0 and /dev/ttyUSB1 have one serial number, EN1")]);
});
