// @vitest-environment jsdom
import { create } from "@bufbuild/protobuf";
import type { DeskState } from "@followspot/contract";
import { LightSchema } from "@followspot/contract/lights";
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { button, press, show } from "../testing/show.tsx";
import { Toasts } from "../ui/toast.tsx";
import { IdentifyButton, IdentifyRefusals } from "./identify-button.tsx";

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
    const isGone = control === "identify/9";
    this.say(
      isGone ? { type: "refused", id, message: "This lamp cannot be lit." } : { type: "taken", id, revision: 1 },
    );
  }
  close(): void {
    this.readyState = 3;
  }
  say(message: object): void {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
  }
}

beforeEach(() => void vi.stubGlobal("WebSocket", Stage));

const state = (hands: DeskState["hands"], outputs = 1): DeskState =>
  ({ type: "desk", run: "r", revision: 1, hands, groups: [], movers: [], mode: "idle", song_id: "", outputs, you: "u1" }); // prettier-ignore
const say = (hands: DeskState["hands"], outputs = 1) => act(async () => Stage.last!.say(state(hands, outputs)));
const held = (owner: string) => ({ value: true as const, owner, owner_name: owner, since: 0 });

const onAim = vi.fn<() => void>();
async function open(id = 4): Promise<void> {
  await show(
    <>
      <IdentifyButton light={create(LightSchema, { id, label: `Par ${id}` })} onAim={onAim} />
      <IdentifyRefusals />
      <Toasts />
    </>,
  );
  Stage.last!.pressed.length = 0;
}

it("the first press blinks a fixture, the second releases it; the title names who identifies it", async () => {
  await open();
  await say({});
  await press("Identify");
  await say({ "identify/4": held("u1") });
  expect(button("Identify").getAttribute("aria-pressed")).toBe("true");
  expect(button("Identify").title).toBe("Blinks for you");
  await press("Identify");
  expect(Stage.last!.pressed).toEqual([
    ["identify/4", true],
    ["identify/4", null],
  ]);
  await say({ "identify/4": held("Bo") });
  expect(button("Identify").title).toBe("Blinks for Bo");
  await say({});
  expect(button("Identify").getAttribute("aria-pressed")).toBe("false");
});

it("opens the aim dialog for a fixture with pan or tilt; the title names who aims it", async () => {
  await open();
  await act(async () => Stage.last!.say({ ...state({ "aim/4": { ...held("Bo"), value: "0.5 0.5" } }), movers: [4] }));
  expect(button("Identify").title).toBe("Aimed by Bo");
  await press("Identify");
  expect(onAim).toHaveBeenCalledOnce();
  expect(Stage.last!.pressed).toEqual([]);
});

it("explains why nothing is visible: no output, blackout, a fixture that cannot be lit", async () => {
  await open();
  await say({}, 0);
  await press("Identify");
  expect(document.body.textContent).toContain("No output is on: nothing reaches the lamps.");
  await say({ blackout: held("Bo") });
  await press("Identify");
  expect(document.body.textContent).toContain("Blackout is on: the lamp blinks when it is released.");
  await open(9);
  await say({});
  await act(async () => [...document.querySelectorAll("button")].filter(({ textContent }) => textContent === "Identify").at(-1)!.click()); // prettier-ignore
  expect(document.body.textContent).toContain("Not taken: This lamp cannot be lit.");
});
