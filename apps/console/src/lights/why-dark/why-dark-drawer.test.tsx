// @vitest-environment jsdom
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { parsRig } from "@followspot/lighting";
import { LightSchema, LightsService, type GetLightOnStageResponseSchema } from "@followspot/contract/lights";
import { act } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { giveSizes } from "../../testing/list-place.tsx";
import { eventually, press, show } from "../../testing/show.tsx";
import { WhyDarkDrawer } from "./why-dark-drawer.tsx";

const light = create(LightSchema, { id: 1, label: "Left", universe: 1, dmxAddress: 1, channelCount: 3 });
let told: MessageInitShape<typeof GetLightOnStageResponseSchema> | undefined;
let switchedOn: number[];
const sent: [string, unknown][] = [];

/** Fake desk at the other end of the page's WebSocket. */
class Desk extends EventTarget {
  static last: Desk | undefined;
  readonly readyState = 1;
  constructor() {
    super();
    Desk.last = this;
  }
  say(message: object): void {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
  }
  send(text: string): void {
    const { control, value } = JSON.parse(text);
    sent.push([control, value]);
  }
  close(): void {}
}

beforeEach(() => {
  giveSizes();
  told = { holder: "idle", master: 1, isKnown: true, lanes: [], sent: [0, 0, 0] };
  switchedOn = [];
  sent.length = 0;
  vi.stubGlobal("WebSocket", Desk);
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(parsRig(1))));
});

function routes(router: ConnectRouter): void {
  router.service(LightsService, {
    listOutputs: () => ({ outputs: [] }),
    getOutputHealth: () => ({}),
    getLightOnStage: () => {
      if (!told) throw new ConnectError("The stage does not answer.", Code.Unavailable);
      return told;
    },
    updateLight: ({ id }) => {
      switchedOn.push(id);
      return {};
    },
  });
}

async function open(roles = ["Admin"]): Promise<void> {
  const nothing = () => undefined;
  const drawer = <WhyDarkDrawer light={light} groups={[]} overlap={undefined} onEdit={nothing} onOutputs={nothing} onClose={nothing} />; // prettier-ignore
  await show(drawer, { routes, roles, address: "/" });
  await eventually(() => expect(document.querySelectorAll("ol li")).toHaveLength(12));
}
const verdict = () => document.querySelector("[role=status]")?.textContent;

test("names the stop that blocks the light, marks later stops as not reached, and fixes it with one press", async () => {
  await open();
  expect(verdict()).toBe("Its light ends here: The lamp is switched off in the patch.");
  expect([...document.querySelectorAll("ol li")].filter((stop) => stop.textContent.includes("Not reached"))).toHaveLength(8); // prettier-ignore
  await press("Switch on");
  await eventually(() => expect(switchedOn).toEqual([1]));
});

test("shows the server's error if the stage is unavailable", async () => {
  told = undefined;
  await open();
  expect(verdict()).toBe("Its light ends here: The stage does not answer.");
});

test("offers a Director only desk actions, no Admin actions", async () => {
  told = { holder: "nobody" };
  await open(["Director"]);
  expect(document.body.textContent).toContain("The lamp is switched off in the patch.");
  expect(document.body.textContent).not.toContain("Switch on");
  const state = { type: "desk", run: "r", revision: 1, hands: {}, groups: [], movers: [], mode: "idle", song_id: "", outputs: 1, you: "u1" }; // prettier-ignore
  await act(async () => Desk.last!.say(state));
  await press("Light the house");
  await eventually(() => expect(sent).toEqual([["idle", "house"]]));
});
