import { outputOfUrl } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { readPollReply } from "../packets/artnet-poll.ts";
import { ForeignSources, type HeardSource } from "./foreign-sources.ts";
import { NodeList, placeOf } from "./node-list.ts";
import { PAR_NODE, pollReply, type EmulatedNode } from "../testing/artnet-emulator.ts";

const HOST = "10.0.0.7";
const PLACE = placeOf(HOST, 6454);
const OUTPUT = outputOfUrl(`artnet://${HOST}/1`, 2);
const reply = (node: Partial<EmulatedNode> = {}) => readPollReply(pollReply({ ...PAR_NODE, ...node }))!;

describe("nodes that answer", () => {
  it("are missing after three unanswered polls, and back with the next answer", () => {
    const nodes = new NodeList();
    const asked = new Set([PLACE]);
    nodes.heard(HOST, 6454, reply(), 0);
    const isGoneAt = (ms: number) => nodes.list(asked, ms)[0]?.is_gone;
    expect([3000, 9000, 10_001].map(isGoneAt)).toEqual([false, false, true]);
    nodes.heard(HOST, 6454, reply(), 12_000);
    expect(isGoneAt(12_100)).toBe(false);
  });

  it("combine the ports of all their replies", () => {
    const nodes = new NodeList();
    nodes.heard(HOST, 6454, reply({ universes: [0, 1, 2, 3] }), 0);
    nodes.heard(HOST, 6454, { ...reply({ universes: [4, 1] }), bindIndex: 2 }, 0);
    expect(nodes.list(new Set(), 0)).toMatchObject([{ host: HOST, name: "Par node", port_addresses: [0, 1, 2, 3, 4] }]);
  });

  it("found only by a search are removed after five minutes, and never reported as missing", () => {
    const nodes = new NodeList();
    nodes.heard(HOST, 6454, reply(), 0);
    expect(nodes.list(new Set(), 200_000)).toMatchObject([{ is_gone: false }]);
    expect(nodes.list(new Set(), 300_001)).toEqual([]);
  });

  it("are reported when two of them share an address, until one is silent", () => {
    const nodes = new NodeList();
    nodes.heard(HOST, 6454, reply(), 0);
    nodes.heard(HOST, 6454, reply({ name: "Bar node", mac: "112233445566" }), 100);
    const [notice] = nodes.notices([], () => "", 200);
    expect(notice).toBe(
      "Par node (0a:0b:0c:0d:0e:0f) and Bar node (11:22:33:44:55:66) have one address, 10.0.0.7. Give one of them another, or frames get lost.",
    );
    nodes.heard(HOST, 6454, reply(), 11_000);
    expect(nodes.notices([], () => "", 11_100)).toEqual([]);
  });

  it("are reported when they merge another source into our data", () => {
    const nodes = new NodeList();
    nodes.heard(HOST, 6454, reply({ merging: [1] }), 0);
    expect(nodes.notices([OUTPUT], () => PLACE, 0)).toEqual([expect.stringContaining("port address 1 from a second")]);
    expect(nodes.notices([{ ...OUTPUT, portAddress: 0 }], () => PLACE, 0)).toEqual([]);
  });

  it("cannot fill the memory, even if forged", () => {
    const nodes = new NodeList();
    for (let i = 0; i < 5000; i++) nodes.heard(`10.1.${i >> 8}.${i & 255}`, 6454, reply(), 0);
    for (let i = 0; i < 5000; i++) nodes.heard("10.1.0.0", 6454, { ...reply(), mac: String(i) }, 0);
    expect(nodes.list(new Set(), 0)).toHaveLength(256);
  });
});

describe("other senders to our universes", () => {
  const desk: HeardSource = { protocol: "sacn", key: "c1d", address: "10.0.0.9", name: "Desk", portAddress: 1, priority: 120 }; // prettier-ignore
  const ours = [outputOfUrl("sacn://10.0.0.7/1", 3)];
  const adviceFor = (priority: number | undefined) => {
    const sources = new ForeignSources();
    sources.heard({ ...desk, priority }, 0);
    return sources.list(ours, 0)[0]?.advice;
  };

  it("are reported with our universe and advice by priority", () => {
    const sources = new ForeignSources();
    sources.heard(desk, 0);
    expect(sources.list(ours, 0)).toMatchObject([
      { name: "Desk", address: "10.0.0.9", port_address: 1, universes: [3] },
    ]);
    expect(adviceFor(120)).toContain("above our 100: receivers show it and not us");
    expect(adviceFor(100)).toContain("our priority");
    expect(adviceFor(50)).toContain("stands by");
  });

  it("are ignored on other universes, and removed after twelve seconds or their last packet", () => {
    const sources = new ForeignSources();
    sources.heard({ ...desk, portAddress: 2 }, 0);
    sources.heard(desk, 0);
    expect(sources.list(ours, 11_000)).toHaveLength(1);
    expect(sources.list(ours, 12_001)).toEqual([]);
    sources.heard(desk, 13_000);
    sources.left(desk);
    expect(sources.list(ours, 13_000)).toEqual([]);
  });

  it("keep the priority of their frames when they announce themselves", () => {
    const sources = new ForeignSources();
    sources.heard(desk, 0);
    sources.heard({ ...desk, priority: undefined }, 10);
    expect(sources.list(ours, 20)).toMatchObject([{ priority: 120 }]);
  });

  it("cannot fill the memory", () => {
    const sources = new ForeignSources();
    for (let i = 0; i < 5000; i++) sources.heard({ ...desk, key: String(i) }, 0);
    expect(sources.list(ours, 0)).toHaveLength(512);
  });
});
