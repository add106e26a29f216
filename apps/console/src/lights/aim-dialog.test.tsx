// @vitest-environment jsdom
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import type { DeskState } from "@followspot/contract";
import { LightSchema, LightsService, type Light, type UpdateLightRequest } from "@followspot/contract/lights";
import { UNAIMED } from "@followspot/lighting";
import { act, useState } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { useDesk } from "../desk/use-desk.ts";
import { button, eventually, field, press, show } from "../testing/show.tsx";
import { AimDialog } from "./aim-dialog.tsx";
import { messageOfAim } from "@followspot/contract/light-aim";

/** Fake stage at the other end of the page's WebSocket. */
class Stage extends EventTarget {
  static last: Stage | undefined;
  readyState = 1;
  readonly pressed: [string, unknown][] = [];
  constructor() {
    super();
    Stage.last = this;
  }
  send(text: string): void {
    const { id, control, value } = JSON.parse(text);
    this.pressed.push([control, value]);
    this.say({ type: "taken", id, revision: 1 });
  }
  close(): void {
    this.readyState = 3;
  }
  say(message: object): void {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
  }
}
const DESK: DeskState = { type: "desk", run: "r", revision: 1, hands: {}, groups: [], movers: [4], mode: "idle", song_id: "", outputs: 1, you: "u1" }; // prettier-ignore

let light: Light;
let updates: UpdateLightRequest[];
let refuses: string | undefined;
beforeEach(() => {
  vi.stubGlobal("WebSocket", Stage);
  light = create(LightSchema, { id: 4, label: "Head 4", updatedAt: timestampFromMs(1000) });
  updates = [];
  refuses = undefined;
});

function routes(router: ConnectRouter): void {
  router.service(LightsService, {
    updateLight: (request) => {
      updates.push(request);
      if (refuses) throw new ConnectError(refuses, Code.InvalidArgument);
      light = create(LightSchema, { ...light, aim: request.aim, updatedAt: timestampFromMs(1000 + updates.length) });
      return { light };
    },
  });
}

/** Page whose desk connection outlives the dialog. */
function Page() {
  const [isOpen, setOpen] = useState(true);
  useDesk();
  return isOpen && <AimDialog light={light} onClose={() => setOpen(false)} />;
}
async function open(roles: readonly string[] = ["Admin"]): Promise<void> {
  await show(<Page />, { routes, roles, address: "/" });
  await eventually(() => expect(document.querySelector("[role=slider]")).not.toBeNull());
  await act(async () => Stage.last!.say(DESK));
}
const pad = () => document.querySelector<HTMLElement>("[role=slider]")!;
const key = (name: string, shiftKey = false) =>
  act(async () => {
    pad().dispatchEvent(new KeyboardEvent("keydown", { key: name, shiftKey, bubbles: true, cancelable: true }));
  });
const lastPress = () => Stage.last!.pressed.at(-1);
const lastAim = () => updates.at(-1)?.aim;

it("aims the head at its home position, moves it with arrow keys, and releases it when the dialog closes", async () => {
  light = create(LightSchema, { ...light, aim: messageOfAim({ ...UNAIMED, home: { pan: 0.25, tilt: 0.99 } }) });
  await open();
  expect(lastPress()).toEqual(["aim/4", "0.25 0.99"]);
  await key("ArrowRight");
  await key("ArrowUp", true);
  expect(lastPress()).toEqual(["aim/4", "0.26 1"]);
  expect(pad().getAttribute("aria-valuetext")).toBe("Pan 26 %, tilt 100 %");
  await key("ArrowDown");
  await key("ArrowLeft", true);
  expect(lastPress()).toEqual(["aim/4", "0.21 0.99"]);
  await press("Done");
  expect(lastPress()).toEqual(["aim/4", null]);
});

it("a drag on the pad sets pan horizontally and tilt vertically", async () => {
  await open();
  vi.spyOn(pad(), "getBoundingClientRect").mockReturnValue(new DOMRect(10, 20, 200, 100));
  const captured = new Set<number>();
  pad().setPointerCapture = (id) => void captured.add(id);
  pad().hasPointerCapture = (id) => captured.has(id);
  const point = (type: string, clientX: number, clientY: number) =>
    act(async () => {
      pad().dispatchEvent(
        Object.assign(new MouseEvent(type, { clientX, clientY, bubbles: true }), { pointerId: 1 }), // jsdom has no pointer events
      );
    });
  await point("pointermove", 60, 45);
  expect(lastPress()).toEqual(["aim/4", "0.5 0.5"]);
  await point("pointerdown", 60, 45);
  expect(lastPress()).toEqual(["aim/4", "0.25 0.75"]);
  await point("pointermove", 500, 500);
  expect(lastPress()).toEqual(["aim/4", "1 0"]);
});

it("stores the current aim as a position preset, recalls it and deletes it", async () => {
  await open();
  await key("ArrowRight", true);
  await press("Store Band");
  await eventually(() => expect(lastAim()?.band).toMatchObject({ pan: 0.55, tilt: 0.5 }));
  expect(lastAim()).toMatchObject({ home: { pan: 0.5, tilt: 0.5 }, range: { pan: 0.35, tilt: 0.2 } });
  await key("ArrowLeft", true);
  await press("Go to Band");
  expect(lastPress()).toEqual(["aim/4", "0.55 0.5"]);
  await press("Store Home");
  await eventually(() => expect(lastAim()?.home).toMatchObject({ pan: 0.55, tilt: 0.5 }));
  // Each save is based on the version from the previous save.
  expect(updates.map(({ ifUpdatedAt }) => ifUpdatedAt?.nanos)).toEqual([0, 1_000_000]);
  await press("Forget Band");
  await eventually(() => expect(updates).toHaveLength(3));
  expect(lastAim()?.band).toBeUndefined();
  expect(button("Go to Band").disabled).toBe(true);
  await press("Forget all of it");
  await eventually(() => expect(updates.at(-1)).toMatchObject({ clearAim: true }));
});

it("inverting pan is saved immediately and mirrors the stored presets, so the beam does not move", async () => {
  light = create(LightSchema, { ...light, aim: messageOfAim({ ...UNAIMED, home: { pan: 0.25, tilt: 0.5 } }) });
  await open();
  await act(async () => field("Invert pan").click());
  await eventually(() => expect(lastAim()).toMatchObject({ invertPan: true, home: { pan: 0.75, tilt: 0.5 } }));
});

it("adds a guard above the presets, disables the axis swap, and shows why the server rejects a preset", async () => {
  await open();
  await act(async () => field("Keep the beam out").click());
  await eventually(() => expect(lastAim()?.guard).toMatchObject({ fromTilt: 0.55, toTilt: 0.7 }));
  expect(field("Swap pan and tilt").disabled).toBe(true);
  refuses = "Home lies in the guard: move it out, or make the guard smaller";
  await press("Store Home");
  await eventually(() => expect(document.querySelector("[role=alert]")?.textContent).toContain("Home lies in the guard")); // prettier-ignore
});

it("saves a range when its slider is released", async () => {
  await open();
  const slider = field("Pan range");
  const slide = (value: string) =>
    act(async () => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!.call(slider, value);
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    });
  await slide("0.2");
  await slide("0.1");
  expect(updates).toEqual([]);
  await act(async () => void slider.dispatchEvent(new KeyboardEvent("keyup", { key: "ArrowLeft", bubbles: true })));
  await eventually(() => expect(lastAim()?.range).toMatchObject({ pan: 0.1, tilt: 0.2 }));
});

it("a Director can aim a fixture but not save", async () => {
  await open(["Director"]);
  await key("ArrowRight");
  expect(lastPress()).toEqual(["aim/4", "0.51 0.5"]);
  expect(document.body.textContent).toContain("Only Admins store where lamps look.");
  expect([...document.querySelectorAll("button")].map(({ textContent }) => textContent)).not.toContain("Store");
});
