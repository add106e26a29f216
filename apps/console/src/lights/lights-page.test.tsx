// @vitest-environment jsdom
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import {
  LightSchema,
  LightsService,
  type LightGroupSchema,
  ShownMovesSchema,
  type Light,
} from "@followspot/contract/lights";
import { act } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { columnHeads, giveSizes } from "../testing/list-place.tsx";
import { button, eventually, press, show, type } from "../testing/show.tsx";
import { Toasts } from "../ui/toast.tsx";
import { LightsPage } from "./lights-page.tsx";

let lights: Light[];
let groups: MessageInitShape<typeof LightGroupSchema>[];
let reordered: number[][];
let created: { label: string; dmxAddressOverride?: number | undefined }[];
let shown: unknown[];
let restored: unknown[];
let turned: (readonly [id: number, enabled: boolean | undefined])[];
let refusesOrder: boolean;
let refusesMoves: boolean;
/** Responses of the fake server are delayed until this resolves. */
let gate: Promise<void>;
let lists: number;

beforeEach(() => {
  giveSizes();
  lights = Array.from({ length: 8 }, (_, index) => par(index + 1, index));
  groups = [];
  reordered = [];
  turned = [];
  restored = [];
  created = [];
  shown = [];
  refusesOrder = false;
  refusesMoves = false;
  gate = Promise.resolve();
  lists = 0;
});
afterEach(() => vi.restoreAllMocks());

const par = (id: number, index: number) =>
  create(LightSchema, {
    id,
    label: `Par ${id}`,
    lightType: "generic_rgb_par",
    mode: "4 channels",
    position: String(index + 1),
    universe: 1,
    dmxAddress: index * 4 + 1,
    channelCount: 4,
    enabled: true,
    updatedAt: timestampFromMs(0),
  });

function routes(router: ConnectRouter): void {
  router.service(LightsService, {
    listLights: () => {
      lists += 1;
      return { lights };
    },
    countLights: () => ({ counts: [{ filter: "", count: lights.length }] }),
    listGroups: () => ({ groups }),
    listLightTypes: () => ({ types: [{ key: "generic_rgb_par", name: "RGB par" }] }),
    getLightModes: () => ({ modes: [{ name: "4 channels", channelCount: 4 }] }),
    createLight: (light) => {
      created.push(light);
      return {};
    },
    updateLight: async ({ id, enabled }) => {
      turned.push([id, enabled]);
      await gate;
      if (refusesOrder) throw new ConnectError("The database is not reachable", Code.Unavailable);
      lights = lights.map((each) => (each.id === id ? { ...each, enabled: enabled === true } : each));
      return {};
    },
    deleteLight: ({ id }) => {
      lights = lights.filter((light) => light.id !== id);
      return { success: true };
    },
    restoreLights: (request) => {
      restored.push([request.lights.map(({ label }) => label), request.groups.map(({ id }) => id)]);
      lights = [...lights, ...request.lights].toSorted((a, b) => a.id - b.id);
      return {};
    },
    reorderLights: async ({ ids, shownMoves }) => {
      reordered.push(ids);
      shown.push(shownMoves?.moves.map(({ lightId, toAddress }) => [lightId, toAddress]) ?? "nothing");
      await gate;
      if (refusesMoves) {
        refusesMoves = false;
        const moves = [{ lightId: 9, label: "Strobe", fromAddress: 33, toAddress: 40, channelCount: 2 }];
        const detail = create(ShownMovesSchema, { moves });
        throw new ConnectError("look", Code.FailedPrecondition, undefined, [{ desc: ShownMovesSchema, value: detail }]);
      }
      if (refusesOrder) throw new ConnectError("The database is not reachable", Code.Unavailable);
      lights = ids.map((id, index) => par(id, index));
      return { lights };
    },
  });
}

async function open(address = "/", roles: readonly string[] = ["Admin"]) {
  const page = (
    <>
      <LightsPage />
      <Toasts />
    </>
  );
  const place = await show(page, { routes, roles, address });
  await eventually(() => expect(labels()).toHaveLength(8));
  return place;
}

const alert = () => document.querySelector("[role=alertdialog]")?.textContent ?? "";
const rows = () => [...document.querySelectorAll<HTMLElement>("[role=grid][aria-label=Lights] [data-row]")];
const labels = () => rows().map((row) => /Par \d/.exec(row.textContent)?.[0]);
const positions = () =>
  rows().map(
    (row) => [...row.querySelectorAll("span")].find(({ textContent }) => textContent.startsWith("Pos: "))?.textContent,
  );

/** Gives each row a position, because jsdom has no layout and a drag needs one. */
function placeRows(): void {
  vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockImplementation(function (this: HTMLElement) {
    const top = Number(this.closest<HTMLElement>("[data-row]")?.dataset["row"] ?? 0) * 44;
    return new DOMRect(0, top, 1200, 44);
  });
}

const key = (code: string) =>
  act(async () => {
    document.activeElement!.dispatchEvent(
      new KeyboardEvent("keydown", { code, key: code, bubbles: true, cancelable: true }),
    );
    await new Promise((later) => setTimeout(later, 20));
  });

/** Moves the first light below the second by keyboard, 25 px per arrow key. @param answer button pressed in the confirmation */
async function moveFirstDown(answer: "Save and move" | "Cancel" = "Save and move"): Promise<void> {
  placeRows();
  button("Move Par 1").focus();
  await key("Space");
  await key("ArrowDown");
  await key("Space");
  await eventually(() => expect(alert()).toContain("Par 1: 1-4 (4ch) → 5-8 (4ch)"));
  // The new order is shown immediately, even before the confirmation.
  expect(labels().slice(0, 3)).toEqual(["Par 2", "Par 1", "Par 3"]);
  expect(reordered).toEqual([]);
  await press(answer);
}

// kept: Stage and lamps | A new order was saved one light at a time: it flickered, and stayed half saved after a failure |
// failed with the fault put back
test("saves a new order in one call and shows it immediately", async () => {
  let letGo = () => {};
  gate = new Promise((done) => (letGo = done));
  const place = await open();
  await moveFirstDown();
  await eventually(() => expect(reordered).toEqual([[2, 1, 3, 4, 5, 6, 7, 8]]));
  expect(labels().slice(0, 3)).toEqual(["Par 2", "Par 1", "Par 3"]);
  expect(positions().slice(0, 2)).toEqual(["Pos: 1", "Pos: 2"]);
  expect(place.textContent).toContain("Updating light positions...");
  letGo();
  await eventually(() => expect(place.textContent).not.toContain("Updating light positions..."));
  expect(labels().slice(0, 3)).toEqual(["Par 2", "Par 1", "Par 3"]);
  expect(reordered).toHaveLength(1);
});

// kept: Stage and lamps | A new order was saved one light at a time: it flickered, and stayed half saved after a failure |
// also
test("shows the new order while it is being saved, even if the list is refetched", async () => {
  let letGo = () => {};
  gate = new Promise((done) => (letGo = done));
  await open();
  await moveFirstDown();
  await eventually(() => expect(reordered).toHaveLength(1));
  const before = lists;
  // The list is refetched with the old order, as after another user's change.
  await press("Off");
  await press("All8");
  await eventually(() => expect(lists).toBeGreaterThan(before));
  await eventually(() => expect(labels().slice(0, 2)).toEqual(["Par 2", "Par 1"]));
  letGo();
  await eventually(() => expect(labels().slice(0, 2)).toEqual(["Par 2", "Par 1"]));
});

// kept: Stage and lamps | A new order was saved one light at a time: it flickered, and stayed half saved after a failure |
// also
test("reverts to the old order after a rejection, and retries on request", async () => {
  refusesOrder = true;
  const place = await open();
  await moveFirstDown();
  await eventually(() =>
    expect(place.textContent).toContain("The new order was not saved; the lights stand as before."),
  );
  expect(labels().slice(0, 2)).toEqual(["Par 1", "Par 2"]);
  expect(positions().slice(0, 2)).toEqual(["Pos: 1", "Pos: 2"]);
  refusesOrder = false;
  await press("Retry");
  await eventually(() => expect(labels().slice(0, 2)).toEqual(["Par 2", "Par 1"]));
  expect(reordered[1]).toEqual(reordered[0]);
});

test("asks before a new order readdresses lights, and sends the confirmed moves", async () => {
  await open();
  await moveFirstDown("Cancel");
  await eventually(() => expect(labels().slice(0, 2)).toEqual(["Par 1", "Par 2"]));
  expect(reordered).toEqual([]);
  await moveFirstDown();
  await eventually(() => expect(shown).toEqual([[[1, 5], [2, 1]]])); // prettier-ignore
});

test("asks again with the server's moves if the patch has changed", async () => {
  refusesMoves = true;
  await open();
  await moveFirstDown();
  await eventually(() => expect(alert()).toContain("Strobe: 33-34 (2ch) → 40-41 (2ch)"));
  await press("Save and move");
  await eventually(() => expect(shown).toHaveLength(2));
  expect(shown[1]).toEqual([[9, 40]]);
});

test("highlights a row's slots and a slot's row, and names the light of a slot", async () => {
  const broughtIntoView: (string | undefined)[] = [];
  // jsdom has no layout.
  HTMLElement.prototype.scrollIntoView = function () {
    broughtIntoView.push(this.dataset["light"]);
  };
  const place = await open();
  const slot = (address: number) => place.querySelectorAll<HTMLElement>("[role=gridcell][data-slot]")[address - 1]!;
  const line = () => place.querySelector("[aria-label='Universe 1'] p[aria-live]")?.textContent;
  expect(place.textContent).toContain("32 of 512 in use · next free for 8 channels: 33");
  await act(async () => rows()[2]!.focus());
  expect([9, 12, 13].map((address) => slot(address).getAttribute("aria-selected"))).toEqual(["true", "true", "false"]);
  expect(line()).toBe("Par 3: 9–12");
  await act(async () => slot(17).click());
  expect(rows()[4]!.getAttribute("aria-selected")).toBe("true");
  await act(async () => slot(1).focus());
  for (const [code, words] of [
    ["ArrowRight", "2: Par 1, channel 2 of 4"],
    ["ArrowDown", "66: free"],
    ["End", "128: free"],
    ["ArrowUp", "64: free"],
    ["Home", "1: Par 1, channel 1 of 4"],
  ] as const) {
    await key(code);
    expect(line()).toBe(words);
  }
  await key("Enter");
  expect(rows()[0]!.getAttribute("aria-selected")).toBe("true");
  expect(broughtIntoView).toEqual(["5", "1"]);
});

test("shows an overlap with an explanation on the map and in the table", async () => {
  lights = lights.map((light) => (light.id === 4 ? { ...light, dmxAddress: 7, dmxOverride: 7 } : light));
  const place = await open();
  await eventually(() => expect(place.textContent).toContain("Par 2 (5–8) overlaps Par 4 (7–10) on universe 1."));
  expect(place.querySelectorAll(".um-conflict[role=gridcell]")).toHaveLength(4);
  expect(rows()[3]!.textContent).toContain("overlaps Par");
});

test("switches universes with the button and when a row is focused", async () => {
  lights = lights.map((light) => (light.id > 6 ? { ...light, universe: 3 } : light));
  const place = await open();
  expect(place.textContent).toContain("8 lights · 2 universes");
  await press("Universe 3");
  expect(place.textContent).toContain("8 of 512 in use");
  await act(async () => rows()[0]!.focus());
  expect(place.textContent).toContain("24 of 512 in use");
});

test("offers to add lights and find outputs if nothing is patched", async () => {
  lights = [];
  await show(<LightsPage />, { routes, address: "/" });
  await eventually(() => expect(document.body.textContent).toContain("No lights found. Create your first light"));
  const offered = [...document.querySelectorAll("button")].map(({ textContent }) => textContent);
  expect(offered.filter((name) => name === "Add several…")).toHaveLength(2);
  expect(offered).toContain("Find outputs…");
  expect(document.querySelector("[data-slot]")).toBeNull();
});

// kept: Console | Screen readers announced a moved light as "item 1, area 2" | failed with the fault put back
test("announces the name and place of a light while it is moved", async () => {
  await open();
  placeRows();
  const heard = () => document.querySelector("[id^=DndLiveRegion]")?.textContent;
  button("Move Par 1").focus();
  await key("Space");
  await eventually(() => expect(heard()).toMatch(/^(Picked up Par 1, at|Par 1 is at) place 1 of 8\.$/));
  await key("ArrowDown");
  await eventually(() => expect(heard()).toBe("Par 1 is at place 2 of 8."));
  await key("Escape");
  await eventually(() => expect(heard()).toBe("Par 1 stays where it was."));
});

test("Escape cancels a move without a call", async () => {
  await open();
  placeRows();
  button("Move Par 1").focus();
  await key("Space");
  await key("ArrowDown");
  await key("Escape");
  expect(reordered).toEqual([]);
  expect(labels()[0]).toBe("Par 1");
});

test("disables moving while the list has another sort order", async () => {
  await open("/?sort=label");
  expect(button("Move Par 1").disabled).toBe(true);
});

// kept: Console | Buttons stood there for people who may not press them | also
test("a Director can view lights but not change them", async () => {
  await open("/", ["Director"]);
  expect(button("Move Par 1").disabled).toBe(true);
  for (const label of ["New Light", "Edit", "Delete", "New Group"]) expect(() => button(label)).toThrow("no button");
});

test("lists the lights that a new light readdresses, and asks before saving", async () => {
  await open("/?open=new");
  const field = (label: string) =>
    [...document.querySelectorAll<HTMLInputElement | HTMLSelectElement>("input, select")].find(
      ({ labels }) => labels?.[0]?.textContent === label,
    )!;
  const choose = (label: string, value: string) =>
    act(async () => {
      const select = field(label) as HTMLSelectElement;
      select.value = value;
      select.dispatchEvent(new Event("change", { bubbles: true }));
    });
  await eventually(() => expect(field("Light Type *").querySelectorAll("option")).toHaveLength(2));
  await type(field("Label *") as HTMLInputElement, "Wash");
  await choose("Light Type *", "generic_rgb_par");
  await eventually(() => expect(field("Mode *").querySelectorAll("option")).toHaveLength(2));
  await choose("Mode *", "4 channels");
  await type(field("DMX Address Override") as HTMLInputElement, "510");
  expect(document.body.textContent).toContain("4 channels from address 510 end at 513, past 512.");
  await type(field("DMX Address Override") as HTMLInputElement, "10");
  await eventually(() => expect(document.body.textContent).toContain("Par 3: 9-12 (4ch) → 14-17 (4ch)"));
  await press("Create Light");
  await eventually(() => expect(document.querySelector("[role=alertdialog]")?.textContent).toContain("Par 3: 9-12"));
  expect(created).toEqual([]);
  await press("Save and move");
  await eventually(() => expect(created).toHaveLength(1));
  expect(created[0]).toMatchObject({ label: "Wash", dmxAddressOverride: 10 });
});

test("shows each light with place, channel range, type, mode and switch", async () => {
  const place = await open();
  expect(place.querySelector("h1")?.textContent).toBe("Lights");
  expect(button("New Light")).toBeDefined();
  const heads = columnHeads(place.querySelector("[role=grid][aria-label=Lights]")!); // prettier-ignore
  expect(heads).toEqual(["Move", "Light", "DMX Range", "Type", "Mode", "Groups", "Status", "Actions"]);
  expect(rows()[1]!.textContent).toMatch(/#2Par 2Pos: 2.*5-8 \(4ch\).*generic rgb.*4 channels.*On.*Edit.*Delete/);
});

test("asks for confirmation with the label before a deletion", async () => {
  await open("/?open=delete.2");
  await eventually(() =>
    expect(alert()).toContain('Are you sure you want to delete "Par 2"? This action cannot be undone.'),
  );
});

// kept: Console | A single deleted light could not be restored, though several deleted lights could | failed on the old code
test("offers Undo after the deletion of a single light, which restores it with its groups", async () => {
  groups = [{ id: "front", name: "Front", type: "par", fixtureIds: [2, 3], enabled: true }];
  const place = await open("/?open=delete.2");
  await eventually(() => expect(place.textContent).toContain("Front"));
  await eventually(() => expect(alert()).toContain('"Par 2"'));
  const buttons = [...document.querySelectorAll<HTMLButtonElement>("[role=alertdialog] button")];
  await act(async () => buttons.find(({ textContent }) => textContent === "Delete")!.click());
  await eventually(() => expect(document.body.textContent).toContain('Deleted "Par 2"'));
  expect(labels()).toHaveLength(7);
  await press("Undo");
  await eventually(() => expect(labels()).toHaveLength(8));
  expect(restored).toEqual([[["Par 2"], ["front"]]]);
});

test("lists groups below the lights with ID, fixture count and status", async () => {
  groups = [
    { id: "front", name: "Front", type: "par", fixtureIds: [1], enabled: true },
    { id: "back", name: "Back", type: "bar", fixtureIds: [2, 3] },
  ];
  const place = await open();
  const table = () => place.querySelector("[role=grid][aria-label=Groups]")!;
  await eventually(() => expect(table().querySelectorAll("[data-row]")).toHaveLength(2));
  const heads = columnHeads(table());
  expect(heads).toEqual(["Name", "Type", "Fixtures", "Status", "Actions"]);
  const [front, back] = [...table().querySelectorAll("[data-row]")].map(({ textContent }) => textContent);
  expect(front).toMatch(/FrontID: front.*par.*1 fixture.*Enabled.*Edit.*Delete/);
  expect(back).toMatch(/BackID: back.*bar.*2 fixtures.*Disabled/);
});

test("shows a hint if there are no groups, and opens the form for a new one", async () => {
  const place = await open();
  await eventually(() =>
    expect(place.textContent).toContain("No groups found. Create your first group to get started."),
  );
  await press("New Group");
  await eventually(() => expect(document.querySelector("[role=dialog]")?.textContent).toContain("Create New Group"));
});

test("saves a row's switch immediately, disables it while saving, and shows no error on failure", async () => {
  const place = await open();
  const lightSwitch = () =>
    [...rows()[1]!.querySelectorAll("button")].find((each) => /O(n|ff)/.test(each.textContent))!;
  let letGo = () => {};
  gate = new Promise((resolve) => (letGo = resolve));
  await act(async () => lightSwitch().click());
  await eventually(() => expect(turned).toEqual([[2, false]]));
  await eventually(() => expect(lightSwitch().disabled).toBe(true));
  expect(lightSwitch().className).toContain("disabled:opacity-50");
  letGo();
  await eventually(() => expect(lightSwitch().textContent).toBe("Off"));
  expect(lightSwitch().disabled).toBe(false);
  refusesOrder = true;
  await act(async () => lightSwitch().click());
  await eventually(() => expect(turned).toHaveLength(2));
  await eventually(() => expect(lightSwitch().disabled).toBe(false));
  expect(lightSwitch().textContent).toBe("Off");
  expect([alert(), place.textContent.includes("not reachable")]).toEqual(["", false]);
});
