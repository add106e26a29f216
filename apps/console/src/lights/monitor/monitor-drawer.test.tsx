// @vitest-environment jsdom
import { writeSentLamps, type SentLamps } from "@followspot/contract";
import { parsRig } from "@followspot/lighting";
import { LightsService } from "@followspot/contract/lights";
import { act } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { liveState } from "../../realtime/live-state.ts";
import { giveSizes } from "../../testing/list-place.tsx";
import { eventually, press, show } from "../../testing/show.tsx";
import { MonitorDrawer } from "./monitor-drawer.tsx";

/** Fake stage at the other end of the page's WebSocket. */
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
}

beforeEach(() => {
  giveSizes();
  liveState.set("live");
  vi.stubGlobal("WebSocket", Stage);
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(parsRig(2))));
});

async function open(): Promise<void> {
  await show(<MonitorDrawer universe={1} patched={[1]} onClose={() => undefined} />, {
    routes: (router) =>
      router.service(LightsService, { listOutputs: () => ({ outputs: [] }), getOutputHealth: () => ({}) }),
    address: "/",
  });
  await eventually(() => expect(cells()).toHaveLength(512));
}
const cells = () => [...document.querySelectorAll<HTMLElement>("[role=option]")];
const values = (count: number) => cells().slice(0, count).map((cell) => Number(cell.lastElementChild!.textContent)); // prettier-ignore
const send = (...bytes: number[]) => Stage.last!.tell({ stretches: [{ universe: 1, slot: 0, values: Uint8Array.from(bytes) }] }); // prettier-ignore
const words = () => document.querySelector("[role=status]")!.textContent;

test("shows sent channel values, names the fixture of a focused channel, and freezes while paused", async () => {
  await open();
  // A packet before the page listens to its connection is lost.
  await eventually(() => {
    send(10, 20, 30, 40);
    expect(values(5)).toEqual([10, 20, 30, 40, 0]);
  });
  expect(words()).toBe("Universe 1, from the packets sent");
  await act(async () => cells()[0]!.focus());
  const down = new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true });
  await act(async () => void document.activeElement!.dispatchEvent(down));
  expect(document.activeElement!.getAttribute("aria-label")).toMatch(/^Channel 2: 20, .+, Green$/);
  await press("Pause");
  send(99, 20, 30, 40);
  await new Promise((later) => setTimeout(later, 200));
  expect(values(1)).toEqual([10]);
  await press("Read as table");
  expect([...document.querySelectorAll("tbody tr")].map(({ textContent }) => textContent.slice(0, 3))).toEqual(["110", "220", "330"]); // prettier-ignore
  await press("Go on");
  await eventually(() => expect(values(1)).toEqual([99]));
});

test("explains why nothing is sent", async () => {
  await open();
  Stage.last!.tell({ isPreview: true, stretches: [{ universe: 1, slot: 0, values: new Uint8Array(0) }] });
  await eventually(() =>
    expect(words()).toContain("Preview only: no output is set up yet. These values would be sent."),
  );
  Stage.last!.tell({ isSending: false, stretches: [{ universe: 1, slot: 0, values: new Uint8Array(0) }] });
  await eventually(() => expect(words()).toContain("Nothing is sent: nothing plays"));
  Stage.last!.tell({ stretches: [{ universe: 2, slot: 0, values: new Uint8Array(0) }] });
  await eventually(() => expect(words()).toContain("Nothing is sent: no output of universe 1 is on"));
});
