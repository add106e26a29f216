// @vitest-environment jsdom
import { CLOSE, writeSentLamps, type Rig, type SentLamps } from "@followspot/contract";
import { parsRig } from "@followspot/lighting";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { act } from "react";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { liveState } from "../realtime/live-state.ts";
import { eventually, press, show, Surroundings } from "../testing/show.tsx";
import { LiveStage } from "./live-stage.tsx";
import { shownPlaces } from "./shown-places.ts";

/** The stage's end of the open connection. */
class Stage extends EventTarget {
  static last: Stage | undefined;
  readonly readyState = 1;
  binaryType = "";
  constructor() {
    super();
    Stage.last = this;
  }
  close(): void {}
  tell(sent: Partial<SentLamps>): void {
    const { buffer } = writeSentLamps({
      isWhole: true,
      isSending: true,
      isPreview: false,
      ms: 0,
      stretches: [],
      ...sent,
    });
    act(() => void this.dispatchEvent(new MessageEvent("message", { data: buffer })));
  }
  cut(code: number): void {
    act(() => void this.dispatchEvent(Object.assign(new Event("close"), { code })));
  }
}

let rig: Rig | number;
const page = () => document.body.textContent ?? "";
/** Creates a rig with fixtures 1 and 2 in universe 1, and the others in universe 2. */
const twoUniverses = (): Rig => {
  const { lights, groups } = parsRig(4);
  return { groups, lights: lights.map((light, i) => (i < 2 ? light : { ...light, universe: 2 })) };
};
const slots = (universe: number, ...values: number[]) => ({ universe, slot: 0, values: Uint8Array.from(values) });

beforeEach(() => {
  rig = twoUniverses();
  liveState.set("live");
  shownPlaces.set({ queue: true });
  vi.stubGlobal("WebSocket", Stage);
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  vi.stubGlobal("fetch", async () =>
    typeof rig === "number" ? new Response("", { status: rig }) : new Response(JSON.stringify(rig)),
  );
});

async function open(): Promise<void> {
  vi.stubGlobal("scrollTo", () => undefined);
  const root = createRootRoute();
  const at = createRoute({
    getParentRoute: () => root,
    path: "/",
    component: () => (
      <Surroundings routes={() => undefined}>
        <LiveStage place="queue" />
      </Surroundings>
    ),
  });
  const lights = createRoute({ getParentRoute: () => root, path: "/lights", component: () => null });
  const history = createMemoryHistory({ initialEntries: ["/"] });
  const router = createRouter({ routeTree: root.addChildren([at, lights]), history });
  await router.load();
  // The test's own router is not the console's registered one.
  await show(<RouterProvider router={router as never} />);
}

const lampOf = (light: number) => document.querySelector(`[data-lamp="vz-lamp-${light}-0"]`)?.getAttribute("color");

test("draws each fixture from its DMX values, and reports those without output", async () => {
  await open();
  await eventually(() => expect(page()).toContain("Connecting to the stage..."));
  Stage.last!.tell({ stretches: [slots(1, 255, 0, 0, 0, 0, 255)] });
  await eventually(() => expect(page()).toContain("2 lamps get nothing: universe 2 has no output."));
  await eventually(() => expect(lampOf(1)).toBe("rgb(255 0 0 / 1)"));
  expect(lampOf(2)).toBe("rgb(0 0 255 / 1)");
  Stage.last!.tell({ stretches: [slots(1, 0, 0, 0, 0, 0, 255), slots(2)] });
  await eventually(() => expect(page()).toContain("Lit by what the lamps get now"));
  await eventually(() => expect(lampOf(1)).toBe("transparent"));
  Stage.last!.tell({ isSending: false, stretches: [slots(1), slots(2)] });
  await eventually(() => expect(page()).toContain("Nothing is sent to the lamps now"));
});

test("draws fixtures without an output as a preview, and reports it", async () => {
  await open();
  await eventually(() => expect(document.querySelector("svg")).not.toBeNull());
  Stage.last!.tell({ isPreview: true, stretches: [slots(1, 255, 0, 0), slots(2)] });
  await eventually(() => expect(lampOf(1)).toBe("rgb(255 0 0 / 1)"));
  expect(page()).toContain("Preview only: no output is set up yet, so no lamp is lit. Set up outputs");
});

// kept: Console | While the server was away the picture of the stage blamed the stage | failed on the old code
test("reports an unreachable server, and does not blame the stage", async () => {
  await open();
  await eventually(() => expect(document.querySelector("svg")).not.toBeNull());
  await act(async () => liveState.set("offline"));
  onTestFinished(() => liveState.set("live"));
  Stage.last!.tell({});
  Stage.last!.cut(CLOSE.stageAway);
  await eventually(() => expect(page()).toContain("The server cannot be reached"));
  expect(page()).not.toContain("The stage does not answer.");
});

test("reports a stage that does not respond, and a user who lost the permission", async () => {
  await open();
  await eventually(() => expect(document.querySelector("svg")).not.toBeNull());
  // The connection of the previous page stays open shortly.
  Stage.last!.tell({});
  Stage.last!.cut(CLOSE.stageAway);
  await eventually(() => expect(page()).toContain("The stage does not answer."));
  const before = Stage.last;
  await eventually(() => expect(Stage.last).not.toBe(before));
  Stage.last!.cut(CLOSE.unauthenticated);
  await eventually(() => expect(page()).toContain("You may not see the lamps any more."));
});

test("explains what to do without fixtures, and why they cannot be read", async () => {
  rig = { lights: [], groups: [] };
  await open();
  await eventually(() => expect(page()).toContain("No lamp is patched yet. Add lamps on the Lights page"));
  rig = 503;
  await open();
  await eventually(() => expect(page()).toContain("The lamps could not be read"));
});

test("can be hidden and shown again, and opens no connection while it is hidden", async () => {
  shownPlaces.set({ queue: false });
  Stage.last = undefined;
  await open();
  expect(page()).toContain("Show the stage");
  expect(Stage.last).toBeUndefined();
  await press("Show the stage");
  await eventually(() => expect(Stage.last).toBeDefined());
  await press("Hide");
  await eventually(() => expect(page()).toContain("Show the stage"));
  expect(JSON.parse(localStorage.getItem("followspot.stage.places")!)).toEqual({ queue: false });
});
