import type { OutputsHealth } from "@followspot/contract";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { unavailable } from "../platform/errors.ts";
import { openUntil } from "../testing/open-until.ts";
import { startTestServer, type Wire } from "../testing/test-server.ts";
import { listOutputs } from "./outputs.store.ts";
import { rigRevision } from "./stage-rig.ts";

let askStage: (path: string, body?: object) => Promise<unknown>;
const server = openUntil(afterAll, await startTestServer({ askStage: (...asked) => askStage(...asked) }));
const admin = (await server.person("Ada", ["Admin"])).token;
const director = (await server.person("Dora", ["Director"])).token;
beforeEach(() => server.sql`truncate outputs`);

const lights = (method: string, body: object, who = admin) =>
  server.call(`lights.v1.LightsService/${method}`, body, who);
const NODE = { protocol: "artnet", host: "10.0.0.7", universe: 1, portAddress: 0, enabled: true };
const WIDGET = { protocol: "enttec_pro", device: "/dev/ttyUSB0", deviceSerial: "EN1234", universe: 1, enabled: true };

async function add(output: object): Promise<Wire> {
  return (await lights("CreateOutput", { output })).body.output;
}
const stored = async () => (await lights("ListOutputs", {})).body.outputs ?? [];

describe("outputs", () => {
  test("are added, changed and removed individually, and the stage is notified of each", async () => {
    const first = await add({ ...NODE, label: "Truss" });
    const second = await add({ ...WIDGET, label: "Bar" });
    expect((await stored()).map(({ label }: Wire) => label)).toEqual(["Truss", "Bar"]);
    const before = await rigRevision(server.sql);
    const { body } = await lights("UpdateOutput", {
      output: { ...first, label: "Back truss", rateHz: 30 },
      ifUpdatedAt: first.updatedAt,
    });
    expect(body.output).toMatchObject({ id: first.id, label: "Back truss", rateHz: 30, host: "10.0.0.7" });
    expect(await rigRevision(server.sql)).toBeGreaterThan(before);
    expect((await lights("DeleteOutput", { id: first.id })).body.success).toBe(true);
    expect((await stored()).map(({ id }: Wire) => id)).toEqual([second.id]);
    expect((await lights("DeleteOutput", { id: first.id })).code).toBe("not_found");
  });

  test("are restored unchanged under their ID", async () => {
    const deleted = await add({ ...NODE, label: "Truss" });
    await lights("DeleteOutput", { id: deleted.id });
    expect({ ...(await add(deleted)), updatedAt: deleted.updatedAt }).toEqual(deleted);
    expect((await lights("CreateOutput", { output: deleted })).code).toBe("failed_precondition");
  });

  test("are not overwritten by a caller with an older version", async () => {
    const output = await add(NODE);
    await lights("UpdateOutput", { output: { ...output, label: "A" }, ifUpdatedAt: output.updatedAt });
    const late = await lights("UpdateOutput", { output: { ...output, label: "B" }, ifUpdatedAt: output.updatedAt });
    expect([late.code, (await stored())[0].label]).toEqual(["aborted", "A"]);
  });

  test("may share a universe, but not a destination, also for simultaneous calls", async () => {
    const asked = await Promise.all(Array.from({ length: 12 }, () => lights("CreateOutput", { output: NODE })));
    expect(asked.filter(({ code }) => code === undefined)).toHaveLength(1);
    expect(new Set(asked.map(({ code }) => code))).toEqual(new Set([undefined, "failed_precondition"]));
    await add({ ...NODE, host: "10.0.0.8" });
    await add(WIDGET);
    expect((await stored()).map(({ universe }: Wire) => universe)).toEqual([1, 1, 1]);
    const again = await lights("CreateOutput", { output: { ...WIDGET, label: "Again" } });
    expect(again.body.message).toContain("uses the adapter at /dev/ttyUSB0 already");
  });

  test("are limited to 128", async () => {
    const outputs = Array.from({ length: 128 }, (_, i) => ({ ...NODE, portAddress: i }));
    expect((await lights("SetOutputs", { outputs })).code).toBeUndefined();
    expect((await lights("CreateOutput", { output: WIDGET })).code).toBe("resource_exhausted");
    expect((await lights("SetOutputs", { outputs: [...outputs, WIDGET] })).code).toBe("invalid_argument");
  });

  test("can be changed by Admins only, and seen by Directors", async () => {
    await add(NODE);
    expect((await lights("ListOutputs", {}, director)).body.outputs).toHaveLength(1);
    askStage = async () => ({});
    for (const [method, body] of [
      ["CreateOutput", { output: NODE }],
      ["FindNodes", {}],
    ] as const) {
      expect((await lights(method, body, director)).code).toBe("permission_denied");
    }
  });
});

test("multicast, priority, rate and USB settings reach the stage, without settings of other protocols", async () => {
  await add({
    protocol: "sacn",
    multicast: true,
    host: "10.0.0.9",
    localAddress: "10.0.0.2",
    priority: 0,
    universe: 2,
    portAddress: 300,
    rateHz: 20,
    offsetMs: 15,
    device: "/dev/ttyUSB9",
    enabled: true,
  });
  await add({ ...WIDGET, host: "10.0.0.9", multicast: true, priority: 7, portAddress: 4 });
  const [multicast, usb] = await listOutputs(server.sql);
  const common = { enabled: true, id: expect.any(String) };
  expect(multicast).toEqual({
    ...common,
    protocol: "sacn",
    host: "",
    multicast: true,
    localAddress: "10.0.0.2",
    priority: 0,
    universe: 2,
    portAddress: 300,
    rateHz: 20,
    offsetMs: -15,
  });
  expect(usb).toEqual({
    ...common,
    protocol: "enttec_pro",
    host: "",
    device: "/dev/ttyUSB0",
    deviceSerial: "EN1234",
    universe: 1,
    portAddress: 0,
    offsetMs: 0,
  });
});

describe("the server stores nothing and refuses", () => {
  test.each<[string, object, string]>([
    ["no output", {}, "output"],
    ["an unknown protocol", { output: { ...NODE, protocol: "dali" } }, "protocol"],
    ["a node without a host", { output: { ...NODE, host: "" } }, "say where the node is"],
    ["a port address past 15 bits", { output: { ...NODE, portAddress: 32_768 } }, "portAddress: must be 0 to 32767"],
    ["sACN universe 0", { output: { ...NODE, protocol: "sacn" } }, "portAddress: must be 1 to 63999"],
    ["priority 201", { output: { ...NODE, protocol: "sacn", portAddress: 1, priority: 201 } }, "priority"],
    ["45 frames a second", { output: { ...NODE, rateHz: 45 } }, "rateHz"],
    ["a label of two lines", { output: { ...NODE, label: "a\nb" } }, "one line"],
    ["half a character", { output: { ...NODE, label: "a\ud800" } }, ""],
    ["a card that is a name", { output: { ...NODE, protocol: "sacn", portAddress: 1, multicast: true, localAddress: "eth0" } }, "localAddress"], // prettier-ignore
    ["a USB output without a port", { output: { ...WIDGET, device: "" } }, "device: must be a serial port"],
    ["a file", { output: { ...WIDGET, device: "/etc/passwd" } }, "device: must be a serial port"],
    ["a way out of /dev", { output: { ...WIDGET, device: "/dev/tty/../../etc/passwd" } }, "device"],
    ["another device", { output: { ...WIDGET, device: "/dev/sda" } }, "device: must be a serial port"],
  ])("%s", async (_what, body, text) => {
    const answer = await lights("CreateOutput", body);
    expect([answer.code, answer.body.message]).toEqual(["invalid_argument", expect.stringContaining(text)]);
    expect(await stored()).toEqual([]);
  });
});

describe("the health of the outputs", () => {
  const NOW = "2026-05-01T20:00:00.000Z";
  const HEALTH: OutputsHealth = {
    sending: true,
    rate_hz: 43.8,
    jitter_ms: { p95: 0.4, max: 7 },
    late_frames: 2,
    outputs: [
      {
        id: "a",
        state: "down",
        since: NOW,
        last_error: "Host not found: x",
        packets: 3e9,
        send_errors: 4,
        node_name: "",
      },
    ],
    nodes: [
      { host: "10.0.0.7", port: 6454, name: "Node", long_name: "A node", port_addresses: [0, 1], merging: [1], seen_at: NOW, is_gone: false }, // prettier-ignore
    ],
    devices: [{ path: "/dev/ttyUSB0", name: "DMX USB PRO", serial: "EN1", protocol: "enttec_pro" }],
    foreign_sources: [
      { protocol: "sacn", address: "10.0.0.3", name: "Desk", port_address: 1, universes: [1], priority: 0, seen_at: NOW, advice: "Stop it" }, // prettier-ignore
    ],
    notices: [],
  };

  test("is passed from the stage to Directors", async () => {
    askStage = async (path) => (path === "/health" ? { ...HEALTH, mode: "playing" } : undefined);
    const { body } = await lights("GetOutputHealth", {}, director);
    expect(body).toMatchObject({
      sending: true,
      outputs: [{ id: "a", state: "down", lastError: "Host not found: x", packets: "3000000000" }],
      nodes: [{ host: "10.0.0.7", portAddresses: [0, 1], merging: [1], seenAt: "2026-05-01T20:00:00Z" }],
      devices: [{ path: "/dev/ttyUSB0", protocol: "enttec_pro" }],
      foreignSources: [{ name: "Desk", priority: 0, advice: "Stop it" }],
    });
  });

  test("names the machine that drives the fixtures if the outputs here are withheld", async () => {
    const withheld_because = "Followspot on two uses the same database and drives the fixtures.";
    askStage = async () => ({ ...HEALTH, withheld_because, notices: ["No node answers"] });
    expect((await lights("GetOutputHealth", {}, director)).body.notices).toEqual([withheld_because, "No node answers"]);
  });

  test("is unavailable with a sentence if the stage does not respond, or responds in an unknown format", async () => {
    askStage = () => Promise.reject(unavailable("The stage does not answer."));
    const away = await lights("GetOutputHealth", {});
    expect([away.code, away.body.message]).toEqual(["unavailable", "The stage does not answer."]);
    askStage = async () => ({ outputs: 7 });
    expect((await lights("GetOutputHealth", {})).code).toBe("unavailable");
  });

  test("a search for nodes is forwarded to the stage", async () => {
    const asked: unknown[] = [];
    askStage = async (...call) => (asked.push(call), { searching_until: NOW });
    expect((await lights("FindNodes", {})).body.searchingUntil).toBe("2026-05-01T20:00:00Z");
    expect(asked).toEqual([["/search", {}]]);
  });
});

describe("the test of an output", () => {
  const told = (protocol: string, more: object) => {
    const state = { id: "o1", state: "sending", since: NOW, last_error: "", packets: 9, send_errors: 0, node_name: "", ...more }; // prettier-ignore
    const health = { sending: true, rate_hz: 44, jitter_ms: { p95: 0, max: 0 }, late_frames: 0, outputs: [state], nodes: [], devices: [], foreign_sources: [], notices: [] }; // prettier-ignore
    askStage = async (path) => (path === "/outputs/test" ? { state: "sent", lamps: 4, seconds: 0 } : health);
    return add(protocol === "artnet" ? { ...NODE, id: "o1", label: "Truss" } : { ...WIDGET, id: "o1" });
  };
  const NOW = "2026-05-01T20:00:00Z";
  const tested = async (body: object = {}, who = director) => (await lights("TestOutput", { id: "o1", ...body }, who)).body; // prettier-ignore

  test("reports what was lit, and whether the node responded during the test", async () => {
    await told("artnet", { node_name: "Node", node_seen_at: new Date().toISOString() });
    expect(await tested()).toEqual({ sent: true, lamps: 4, echo: "answered", nodeName: "Node" });
    await server.sql`truncate outputs`;
    await told("artnet", { node_name: "Node", node_seen_at: NOW });
    expect(await tested()).toMatchObject({ echo: "unanswered" });
    await server.sql`truncate outputs`;
    await told("enttec_pro", {});
    expect(await tested()).toMatchObject({ echo: "unheard" });
  });

  test("reports why an output did not arrive", async () => {
    await told("artnet", { state: "down", last_error: "Nothing listens at 10.0.0.7 on port 6454" });
    expect(await tested()).toMatchObject({ sent: true, trouble: "Truss is down: Nothing listens at 10.0.0.7 on port 6454." }); // prettier-ignore
  });

  test("reports that another machine drives the fixtures", async () => {
    await told("artnet", {});
    const ask = askStage;
    const withheld_because = "Followspot on two uses the same database and drives the fixtures.";
    askStage = async (path, body) => ({ ...((await ask(path, body)) as object), withheld_because });
    expect(await tested()).toMatchObject({ sent: true, trouble: withheld_because });
  });

  test("names the holder of the fixtures, and takes over only on request", async () => {
    const orders: unknown[] = [];
    await add({ ...NODE, id: "o1", label: "Truss" });
    askStage = async (_path, order) => {
      orders.push(order);
      return { state: "held", holder: "queue", holder_name: "" };
    };
    expect(await tested()).toEqual({ holder: "queue" });
    await tested({ takeOver: true });
    expect(orders).toMatchObject([{ output: "o1", take_over: false }, { take_over: true }]);
  });

  test.each([
    ["an output that is off", { state: "off" }, "Truss is off. Turn it on first."],
    ["a blackout", { state: "blackout", holder_name: "Ada" }, "Blackout is on at the desk. End it first."],
  ])("is refused for %s", async (_what, answer, message) => {
    await add({ ...NODE, id: "o1", label: "Truss" });
    askStage = async () => answer;
    const refused = await lights("TestOutput", { id: "o1" });
    expect([refused.code, refused.body.message]).toEqual(["failed_precondition", message]);
  });

  test("is refused for an unknown output", async () => {
    expect((await lights("TestOutput", { id: "missing" })).code).toBe("not_found");
  });
});
