// @vitest-environment jsdom
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { LightGroupSchema, LightSchema, LightsService, type EditLightsRequest } from "@followspot/contract/lights";
import { beforeEach, expect, test, vi } from "vitest";
import { button, choose, eventually, press, show } from "../testing/show.tsx";
import { Toasts } from "../ui/toast.tsx";
import { DeleteSeveralDialog } from "./delete-several-dialog.tsx";
import { EditSeveralDialog } from "./edit-several-dialog.tsx";

const par = (id: number, groups: string[] = []) =>
  create(LightSchema, { id, label: `Par ${id}`, lightType: "par", mode: "4 channels", universe: 1, dmxAddress: id * 4 - 3, channelCount: 4, enabled: true, groups }); // prettier-ignore
const LIGHTS = [par(1, ["front"]), par(2), par(3)];
const GROUPS = [create(LightGroupSchema, { id: "front", name: "Front", fixtureIds: [1] })];

let edited: EditLightsRequest[];
let calls: unknown[];
let refusal: ConnectError | undefined;
const done = vi.fn<() => void>();

beforeEach(() => {
  edited = [];
  calls = [];
  refusal = undefined;
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ lights: [], groups: [] })));
});

function routes(router: ConnectRouter): void {
  router.service(LightsService, {
    getLightModes: () => ({ modes: [{ name: "4 channels", channelCount: 4 }, { name: "7 channels", channelCount: 7 }] }), // prettier-ignore
    editLights: (request) => {
      if (refusal) throw refusal;
      edited.push(request);
      return {};
    },
    deleteLights: ({ ids, shownMoves }) => {
      calls.push(["delete", ids, shownMoves?.moves.map(({ lightId, toAddress }) => [lightId, toAddress])]);
      return { success: true };
    },
    restoreLights: ({ lights, groups }) => {
      calls.push(["restore", lights.map(({ id }) => id), groups.map(({ id, fixtureIds }) => [id, fixtureIds])]);
      return {};
    },
  });
}

const open = (Dialog: typeof EditSeveralDialog | typeof DeleteSeveralDialog) =>
  show(
    <>
      <Dialog chosen={LIGHTS.slice(0, 2)} lights={LIGHTS} groups={GROUPS} onDone={done} onClose={() => undefined} />
      <Toasts />
    </>,
    { routes },
  );
const page = () => document.body.textContent ?? "";
const box = (label: string) =>
  [...document.querySelectorAll("label")].find(({ textContent }) => textContent === label)!.querySelector("input")!;

test("shows a mixed checkbox for a partial group, saves only changed fields, and clears the selection", async () => {
  await open(EditSeveralDialog);
  expect(page()).toContain("Par 1, Par 2. Only what you change is saved.");
  expect(box("Front").indeterminate).toBe(true);
  await press("Save");
  expect([page().includes("Nothing is changed yet."), edited.length]).toEqual([true, 0]);
  box("Front").click();
  await choose("Status", "false");
  await press("Save");
  await eventually(() => expect(edited).toMatchObject([{ ids: [1, 2], enabled: false, joinGroups: ["front"] }]));
  expect([edited[0]!.mode, edited[0]!.home, edited[0]!.leaveGroups]).toEqual([undefined, undefined, []]);
  expect(done).toHaveBeenCalledOnce();
});

test("lists readdressed lights before a mode change, and sends the confirmed moves", async () => {
  await open(EditSeveralDialog);
  await eventually(() => expect(page()).toContain("7 channels"));
  await choose("Mode", "7 channels");
  expect(page()).toContain(
    "2 lights get a new DMX address: Par 2: 5-8 (4ch) → 8-14 (7ch), Par 3: 9-12 (4ch) → 15-18 (4ch)",
  );
  await press("Save");
  expect(edited).toEqual([]);
  await press("Save and move");
  await eventually(() => expect(edited).toMatchObject([{ mode: "7 channels", shownMoves: { moves: [{ lightId: 2, toAddress: 8 }, { lightId: 3, toAddress: 15 }] } }])); // prettier-ignore
});

test("stays open with the server's error after a rejected edit", async () => {
  refusal = new ConnectError("Par 2 has no mode 4 channels", Code.FailedPrecondition);
  await open(EditSeveralDialog);
  await choose("Status", "false");
  await press("Save");
  await eventually(() => expect(page()).toContain("Par 2 has no mode 4 channels"));
  expect(button("Save")).toBeDefined();
});

test("deletes the selected lights after confirmation; Undo restores them with their groups", async () => {
  await open(DeleteSeveralDialog);
  expect(page()).toContain("Delete Par 1, Par 2?");
  expect(page()).toContain("Par 3: 9-12 (4ch) → 1-4 (4ch)");
  await press("Delete");
  await eventually(() => expect(page()).toContain("Deleted 2 lights"));
  await press("Undo");
  await eventually(() => expect(calls).toEqual([["delete", [1, 2], [[3, 1]]], ["restore", [1, 2], [["front", [1]]]]])); // prettier-ignore
});
