// @vitest-environment jsdom
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import type { GetOutputHealthResponseSchema, TestOutputResponseSchema } from "@followspot/contract/lights";
import { LightsService, OutputSchema, type Output } from "@followspot/contract/lights";
import { beforeEach, describe, expect, test } from "vitest";
import { giveSizes } from "../testing/list-place.tsx";
import { button, eventually, field, press, show, type } from "../testing/show.tsx";
import { OutputsButton } from "./outputs-button.tsx";
import { OutputsDrawer } from "./outputs-drawer.tsx";

let outputs: Output[];
let health: Extract<MessageInitShape<typeof GetOutputHealthResponseSchema>, { $typeName?: never }> | undefined;
let searches: number;
let monitored: number | undefined;
let refusal: ConnectError | undefined;
let tests: boolean[];
let tested: MessageInitShape<typeof TestOutputResponseSchema>;

const TRUSS = create(OutputSchema, {
  id: "truss",
  protocol: "artnet",
  label: "Truss",
  host: "10.0.0.7",
  universe: 1,
  portAddress: 3,
  offsetMs: -12,
  enabled: true,
  updatedAt: timestampFromMs(1),
});

beforeEach(() => {
  giveSizes();
  outputs = [];
  health = {};
  searches = 0;
  refusal = undefined;
  tests = [];
  tested = { sent: true, lamps: 4, echo: "answered", nodeName: "Bar node" };
});

function routes(router: ConnectRouter): void {
  router.service(LightsService, {
    listOutputs: () => ({ outputs }),
    getOutputHealth: () => {
      if (!health) throw new ConnectError("The stage does not answer.", Code.Unavailable);
      return health;
    },
    findNodes: () => {
      searches += 1;
      health = { nodes: [NODE], searchingUntil: timestampFromMs(Date.now() + 60_000) };
      return {};
    },
    createOutput: ({ output }) => {
      if (refusal) throw refusal;
      const made = output!;
      made.id ||= `o${outputs.length + 1}`;
      outputs = [...outputs, made];
      return { output: made };
    },
    updateOutput: ({ output }) => {
      outputs = outputs.map((each) => (each.id === output!.id ? create(OutputSchema, output) : each));
      return { output: output! };
    },
    testOutput: ({ takeOver }) => {
      tests.push(takeOver);
      if (refusal) throw refusal;
      return takeOver ? { ...tested, sent: true } : tested;
    },
    deleteOutput: ({ id }) => {
      outputs = outputs.filter((each) => each.id !== id);
      return { success: true };
    },
  });
}

const NODE = { host: "10.0.0.9", port: 6454, name: "Bar node", portAddresses: [0, 1], seenAt: timestampFromMs(0) };
const DEVICE = { path: "/dev/ttyUSB0", name: "ENTTEC DMX USB PRO", serial: "EN1", protocol: "enttec_pro" };

async function open(roles: readonly string[] = ["Admin"]) {
  await show(
    <OutputsDrawer patched={[1, 2]} onMonitor={(universe) => (monitored = universe)} onClose={() => undefined} />,
    { routes, roles, address: "/" },
  );
  await eventually(() => expect(page()).toContain("Found"));
}

const page = () => document.body.textContent ?? "";

// kept: Stage and lamps | No screen could set an output, and none was found automatically | failed with the fault put
// back
test("explains the next step without an output, and one press turns a found port into an output", async () => {
  await open();
  expect(page()).toContain("No output yet");
  await press("Search");
  await eventually(() => expect(page()).toContain("Bar node"));
  expect(searches).toBe(1);
  await press("Send universe 1 there: Bar node, 10.0.0.9 · Port address 1");
  await eventually(() => expect(outputs).toMatchObject([{ host: "10.0.0.9", portAddress: 1, universe: 1 }]));
  await eventually(() => expect(page()).toContain("In use"));
  await press("Send universe 2 there: Bar node, 10.0.0.9 · Port address 0");
  await eventually(() => expect(outputs).toMatchObject([{ universe: 1 }, { universe: 2, portAddress: 0 }]));
});

test("a USB adapter becomes an output with its serial number", async () => {
  health = { devices: [DEVICE] };
  await open();
  await press("Send universe 1 there: ENTTEC DMX USB PRO, /dev/ttyUSB0 · EN1");
  await eventually(() =>
    expect(outputs).toMatchObject([{ protocol: "enttec_pro", device: "/dev/ttyUSB0", deviceSerial: "EN1" }]),
  );
});

test("shows destination and state of each output, and why it is down", async () => {
  outputs = [TRUSS];
  health = {
    outputs: [
      { id: "truss", state: "down", since: timestampFromMs(0), lastError: "No network leads to 10.0.0.7", packets: 7n },
    ],
    notices: ["Two nodes have one address"],
    foreignSources: [{ protocol: "sacn", address: "10.0.0.3", name: "Desk", universes: [1], advice: "Stop it." }],
  };
  await open();
  await eventually(() => expect(page()).toContain("No network leads to 10.0.0.7"));
  expect(page()).toContain("Universe 1 → 10.0.0.7, port address 3 · −12 ms");
  expect(page()).toContain("Down");
  expect(page()).toContain("Two nodes have one address");
  expect(page()).toContain("Desk (10.0.0.3) sends sACN to Universe 1 as well. Stop it.");
});

test("adds an output by hand, with only the fields that its protocol needs", async () => {
  await open();
  await press("Add output");
  expect(page()).not.toContain("Priority");
  await press("Add Output");
  await eventually(() => expect(page()).toContain("Host is required"));
  await type(field("Host *"), "10.0.0.8");
  await type(field("Port address *"), "32768");
  await press("Add Output");
  await eventually(() => expect(page()).toContain("Must be a whole number from 0 to 32767"));
  await type(field("Port address *"), "5");
  refusal = new ConnectError("Another output sends to this address", Code.FailedPrecondition);
  await press("Add Output");
  await eventually(() => expect(page()).toContain("Another output sends to this address"));
  refusal = undefined;
  await press("Add Output");
  await eventually(() => expect(outputs).toMatchObject([{ host: "10.0.0.8", portAddress: 5, universe: 1 }]));
});

test("disables an output, and deletes it after confirmation", async () => {
  outputs = [TRUSS];
  await open();
  await eventually(() => expect(page()).toContain("Truss"));
  await press("Turn off");
  await eventually(() => expect(outputs[0]!.enabled).toBe(false));
  await eventually(() => expect(button("Turn on")).toBeDefined());
  await press("Delete");
  await eventually(() => expect(page()).toContain('Are you sure you want to delete "Truss"?'));
  const [, confirm] = [...document.querySelectorAll("button")].filter(({ textContent }) => textContent === "Delete");
  confirm!.click();
  await eventually(() => expect(outputs).toEqual([]));
});

test("a Director sees all outputs and cannot change them", async () => {
  outputs = [TRUSS];
  health = { devices: [DEVICE] };
  await open(["Director"]);
  await eventually(() => expect(page()).toContain("Truss"));
  for (const name of ["Search", "Add output", "Edit", "Delete", "Turn off", "Use"]) {
    expect(() => button(name)).toThrow();
  }
});

test("lists outputs while the stage is unreachable, and reports that", async () => {
  outputs = [TRUSS];
  health = undefined;
  await show(<OutputsDrawer patched={[]} onMonitor={() => undefined} onClose={() => undefined} />, {
    routes,
    address: "/",
  });
  await eventually(() => expect(page()).toContain("does not tell how its outputs are: The stage does not answer."));
  expect(page()).toContain("Truss");
});

// kept: Console | The button of the outputs said nothing while the stage was away | failed on the old code
test("the button reports that there is no output, that one is down, or that the stage does not respond", async () => {
  const opened: string[] = [];
  const at = () => show(<OutputsButton onOpen={() => opened.push("outputs")} />, { routes });
  const none = await at();
  await eventually(() => expect(none.textContent).toBe("Outputsnone yet"));
  outputs = [TRUSS];
  health = { outputs: [{ id: "truss", state: "down" }] };
  const down = await at();
  await eventually(() => expect(down.textContent).toBe("Outputs1 down"));
  down.querySelector("button")!.click();
  expect(opened).toEqual(["outputs"]);
  health = undefined;
  const away = await at();
  await eventually(() => expect(away.textContent).toBe("Outputsno answer"));
});

test("opens the monitor of an output's universe, for users who may see the fixtures", async () => {
  outputs = [create(OutputSchema, { ...TRUSS, universe: 7 })];
  await open(["Director"]);
  await press("Monitor");
  expect(monitored).toBe(7);
});

describe("the test of an output", () => {
  beforeEach(() => {
    outputs = [TRUSS];
  });

  test("shows beside the output what was lit and whether the node responded", async () => {
    await open();
    await press("Test");
    await eventually(() => expect(said()).toBe("4 lamps of universe 1 had white light for two seconds. Bar node answered.")); // prettier-ignore
    tested = { sent: true, lamps: 1, echo: "unanswered" };
    await press("Test");
    await eventually(() => expect(said()).toContain("One lamp of universe 1 had white light"));
    expect(said()).toContain("No node has answered; some never do.");
    tested = { sent: true, lamps: 4, trouble: "Truss is down: Nothing listens at 10.0.0.7." };
    await press("Test");
    await eventually(() => expect(said()).toBe("The test did not arrive."));
  });

  test("names who controls the fixtures, and asks before it overrides them", async () => {
    tested = { holder: "desk", holderName: "Ada", lamps: 4, echo: "answered" };
    await open();
    await press("Test");
    await eventually(() => expect(page()).toContain("Ada presses a control of the desk"));
    await press("Cancel");
    expect(tests).toEqual([false]);
    await press("Test");
    await eventually(() => expect(button("Test all the same")).toBeDefined());
    await press("Test all the same");
    await eventually(() => expect(said()).toContain("4 lamps of universe 1"));
    expect(tests).toEqual([false, false, true]);
  });

  test("is disabled while the output is off", async () => {
    outputs = [create(OutputSchema, { ...TRUSS, enabled: false })];
    await open();
    expect(button("Test").disabled).toBe(true);
  });

  const said = () => document.querySelector("li[aria-labelledby] p[role=status]")?.textContent;
});
