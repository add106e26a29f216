// @vitest-environment jsdom
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import {
  LightGroupSchema,
  LightPoseSchema,
  LightSchema,
  LightsService,
  type Light,
  type PlaceLightsRequest,
} from "@followspot/contract/lights";
import { parsRig } from "@followspot/lighting";
import { act, useEffect, useState } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { giveSizes } from "../../testing/list-place.tsx";
import { button, eventually, field, press, show, type } from "../../testing/show.tsx";
import { PlanDialog } from "./plan-dialog.tsx";

const par = (id: number, pose?: object): Light =>
  create(LightSchema, { id, label: `Par ${id}`, lightType: "generic_rgb_par", mode: "4 channels", ...(pose && { pose: create(LightPoseSchema, pose) }) }); // prettier-ignore
const PARS = create(LightGroupSchema, { id: "pars", name: "Pars", type: "par", fixtureIds: [1, 2] });
const onClose = vi.fn();

let placed: PlaceLightsRequest[];
let refuses: boolean;
/** Simulates a save by another user: replaces the lights behind the dialog. */
let showOthers: (lights: readonly Light[]) => Promise<void>;

beforeEach(() => {
  placed = [];
  refuses = false;
  onClose.mockClear();
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(parsRig(2))));
  // 20 px per meter and a margin of 20 px: the center line is at x = 160, the back wall at y = 20.
  giveSizes({ width: 320, height: 240 });
  HTMLElement.prototype.setPointerCapture = () => undefined;
});

function routes(router: ConnectRouter): void {
  router.service(LightsService, {
    placeLights: (request) => {
      placed.push(request);
      if (refuses) throw new ConnectError("Light 2 is deleted", Code.NotFound);
      return {};
    },
  });
}

async function plan(first: readonly Light[]): Promise<void> {
  function Page() {
    const [lights, setLights] = useState(first);
    useEffect(() => {
      showOthers = (next) => act(async () => setLights(next));
    }, []);
    return <PlanDialog lights={lights} groups={[PARS]} onClose={onClose} />;
  }
  await show(<Page />, { routes });
}

const page = () => document.body.textContent ?? "";
const lamp = (id: number) => document.querySelector<HTMLElement>(`[data-lamp="${id}"]`)!;
const nameOf = (id: number) => lamp(id).getAttribute("aria-label");
const key = (on: HTMLElement, name: string, more: KeyboardEventInit = {}) =>
  act(
    async () => void on.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...more })), // prettier-ignore
  );
const pointer = (on: HTMLElement, kind: string, clientX: number, clientY: number, more: PointerEventInit = {}) =>
  act(
    async () => void on.dispatchEvent(new PointerEvent(kind, { clientX, clientY, pointerId: 1, bubbles: true, cancelable: true, ...more })), // prettier-ignore
  );
async function drag(from: readonly [number, number], to: readonly [number, number], more: PointerEventInit = {}) {
  const layer = document.querySelector<HTMLElement>('[aria-label="Lamps on the stage"]')!;
  await pointer(layer, "pointerdown", ...from, more);
  await pointer(layer, "pointermove", (from[0] + to[0]) / 2, (from[1] + to[1]) / 2, more);
  await pointer(layer, "pointermove", ...to, more);
  await pointer(layer, "pointerup", ...to, more);
}

test("moves fixtures with keys and fields, and saves all changes in one request", async () => {
  await plan([par(1, { x: 0, y: 3 }), par(2)]);
  expect(button("Save places").disabled).toBe(true);
  expect(page()).toContain("1 without a place (dashed)");
  await act(async () => lamp(1).focus());
  await key(lamp(1), "ArrowRight", { shiftKey: true });
  await key(lamp(1), "ArrowUp");
  expect(nameOf(1)).toBe("Par 1: 0.5 m right of the middle, 2.9 m from the back, 4.5 m up");
  await type(field("Height, m"), "2,5");
  await key(lamp(1), "r");
  await key(lamp(1), "l", { shiftKey: true });
  await press("Save places");
  const pose = { x: 0.5, y: 2.9, z: 2.5, hangs: true, turn: 15, lean: 7 };
  await eventually(() => expect(placed).toMatchObject([{ places: [{ lightId: 1, pose }] }]));
  expect(onClose).toHaveBeenCalledOnce();
});

test("a drag is one step for undo and redo", async () => {
  await plan([par(1, { x: 0, y: 3 }), par(2, { x: 4, y: 1 })]);
  await drag([163, 82], [203, 102]);
  expect(nameOf(1)).toContain("2 m right of the middle, 4 m from the back");
  await key(lamp(1), "z", { ctrlKey: true });
  expect(nameOf(1)).toContain("0 m right of the middle, 3 m from the back");
  expect(button("Save places").disabled).toBe(true);
  await key(lamp(1), "z", { ctrlKey: true, shiftKey: true });
  expect(nameOf(1)).toContain("2 m right of the middle, 4 m from the back");
  await drag([200, 100], [200, 60], { altKey: true });
  expect(field("Height, m").value).toBe("5.25");
  await drag([200, 100], [120, 100]);
  await press("Undo");
  expect(nameOf(1)).toContain("2 m right of the middle, 4 m from the back, 5.25 m up");
});

test("shows the word mixed if the selected fixtures differ, and arranges them in one step", async () => {
  await plan([par(1, { x: -3, y: 1 }), par(2, { x: 1, y: 5 })]);
  // Selection rectangle from above the left fixture to below the right one.
  await drag([60, 30], [240, 150]);
  expect(page()).toContain("2 lamps chosen");
  expect(field("To the right, m").placeholder).toBe("mixed");
  expect(field("Leans, °").value).toBe("12");
  await press("Mirror left to right");
  expect(nameOf(2)).toContain("3 m right of the middle, 1 m from the back");
  await press("Undo");
  expect(nameOf(2)).toContain("1 m right of the middle, 5 m from the back");
  await press("Front truss");
  await key(lamp(1), "Delete");
  await press("Undo");
  await press("Save places");
  const front = { y: 5.5, z: 4.5, hangs: true, turn: 180, lean: 35 };
  await eventually(() =>
    expect(placed[0]!.places).toMatchObject([
      { lightId: 1, pose: { x: -3, ...front } },
      { lightId: 2, pose: { x: 1, ...front } },
    ]),
  );
});

test("makes a row between two points", async () => {
  await plan([par(1), par(2)]);
  await press("All");
  await press("Row…");
  await type(field("First: from back"), "1");
  await type(field("Last: to the right"), "2");
  await press("Make a row");
  expect(nameOf(1)).toContain("4.2 m left of the middle, 1 m from the back");
  expect(nameOf(2)).toContain("2 m right of the middle, 2.5 m from the back");
});

test("rejects numbers outside the plan and shows the limits", async () => {
  await plan([par(1, { x: 0, y: 3 })]);
  await press("All");
  await type(field("To the right, m"), "12");
  expect(page()).toContain("From -7 to 7");
  expect(button("Save places").disabled).toBe(true);
});

test("brings back a fixture outside the plan", async () => {
  await plan([par(1, { x: -30, y: 3 }), par(2, { x: 0, y: 1 })]);
  expect(page()).toContain("Outside of the plan: Par 1.");
  await press("Bring back");
  expect(page()).not.toContain("Outside of the plan");
  await press("Save places");
  await eventually(() => expect(placed[0]!.places).toMatchObject([{ lightId: 1, pose: { x: -7, y: 3 } }]));
});

test("applies another user's save, and asks if both users moved the same fixture", async () => {
  await plan([par(1, { x: 0, y: 3 }), par(2, { x: 1, y: 3 })]);
  await act(async () => lamp(1).focus());
  await key(lamp(1), "ArrowDown", { shiftKey: true });
  await showOthers([par(1, { x: 0, y: 3 }), par(2, { x: 4, y: 4 })]);
  expect(nameOf(2)).toContain("4 m right of the middle, 4 m from the back");
  expect(page()).not.toContain("Another person");
  await showOthers([par(1, { x: -2, y: 1 }), par(2, { x: 4, y: 4 })]);
  expect(nameOf(1)).toContain("3.5 m from the back");
  expect(page()).toContain("Another person has saved a place for Par 1 meanwhile.");
  await press("Keep mine");
  expect(page()).not.toContain("Another person");
  expect(nameOf(1)).toContain("3.5 m from the back");
  await showOthers([par(1, { x: -1, y: 1 }), par(2, { x: 4, y: 4 })]);
  await press("Take theirs");
  expect(nameOf(1)).toContain("1 m left of the middle, 1 m from the back");
  expect(button("Save places").disabled).toBe(true);
  await press("Undo");
  await press("Save places");
  await eventually(() => expect(placed[0]!.places).toMatchObject([{ lightId: 1, pose: { x: 0, y: 3.5 } }]));
  expect(placed[0]!.places).toHaveLength(1);
});

test("shows a rejected save and preserves the draft; Escape first clears the selection", async () => {
  refuses = true;
  await plan([par(1, { x: 0, y: 3 })]);
  await act(async () => lamp(1).focus());
  await key(lamp(1), "ArrowLeft");
  await press("Save places");
  await eventually(() => expect(page()).toContain("Light 2 is deleted"));
  expect(nameOf(1)).toContain("0.1 m left of the middle");
  await key(lamp(1), "Escape");
  expect(page()).toContain("Click a lamp to choose it");
  expect(page()).not.toContain("Discard");
  await key(lamp(1), "Escape");
  await eventually(() => expect(page()).toContain("Discard"));
});

test("explains that 3D needs WebGL, and stays in the top view", async () => {
  await plan([par(1, { x: 0, y: 3 })]);
  await press("In 3D");
  expect(page()).toContain("3D is not available: this browser has no WebGL. The plan from above can do everything.");
  expect(nameOf(1)).toContain("3 m from the back");
});
