// @vitest-environment jsdom
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import {
  LightSchema,
  LightsService,
  type CreateLightRequest,
  type Light,
  type UpdateLightRequest,
} from "@followspot/contract/lights";
import { act } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { button, choose, eventually, field, press, show, type } from "../testing/show.tsx";
import { LightDialog } from "./light-dialog.tsx";

const par = (id: number, address: number, more: object = {}): Light =>
  create(LightSchema, {
    id,
    label: `Par ${id}`,
    lightType: "rgb_par",
    mode: "4 channels",
    position: String(id),
    universe: 1,
    dmxAddress: address,
    channelCount: 4,
    enabled: true,
    updatedAt: timestampFromMs(0),
    ...more,
  });

const UNDRIVEN = "This lamp cannot be driven: it rests at 0, 0, 0.";
let created: CreateLightRequest[];
let updated: UpdateLightRequest[];
let asked: object[];
/** Error of the address calculation; undefined if it succeeds. */
let failure: ConnectError | undefined;
beforeEach(() => {
  failure = undefined;
  created = [];
  updated = [];
  asked = [];
});

function routes(router: ConnectRouter): void {
  router.service(LightsService, {
    listLightTypes: () => ({
      types: [
        { key: "rgb_par", name: "RGB par" },
        { key: "bar", name: "Bar" },
        { key: "hazer", name: "Hazer" },
      ],
    }),
    getLightModes: ({ lightType }) => ({
      modes:
        lightType === "bar"
          ? [{ name: "24 channels", channelCount: 24, undriven: UNDRIVEN }]
          : [
              { name: "4 channels", channelCount: 4, hazes: lightType === "hazer" },
              ...(lightType === "rgb_par" ? [{ name: "7 channels", channelCount: 7 }] : []),
            ],
    }),
    calculateDMXAddress: (request) => {
      asked.push(request);
      if (failure) throw failure;
      return { dmxAddress: 9, endAddress: 9 + request.channelCount - 1 };
    },
    updateLight: (request) => {
      updated.push(request);
      return {};
    },
    createLight: (request) => {
      created.push(request);
      return {};
    },
  });
}

async function open(lights: readonly Light[] = [par(1, 1), par(2, 5)], light?: Light) {
  const onClose = vi.fn();
  await show(<LightDialog light={light} lights={lights} groups={[]} onClose={onClose} />, { routes });
  await eventually(() => expect(field("Light Type").textContent).toContain("RGB par"));
  return onClose;
}

async function chooseMode(lightType: string, mode: string): Promise<void> {
  await choose("Light Type", lightType);
  await eventually(() => expect(field("Mode").textContent).toContain(mode));
  await choose("Mode", mode);
}

test("creates a light at the address calculated from its position", async () => {
  const onClose = await open();
  await type(field("Label"), "Par 3");
  await chooseMode("rgb_par", "4 channels");
  await type(field("Position"), "3");
  await eventually(() => expect(document.body.textContent).toMatch(/9.*12/));
  expect(asked.at(-1)).toMatchObject({ position: "3", channelCount: 4 });
  await press("Create Light");
  await eventually(() => expect(onClose).toHaveBeenCalledOnce());
  expect(created).toMatchObject([{ label: "Par 3", lightType: "rgb_par", mode: "4 channels", position: "3" }]);
  expect(created[0]!.dmxAddressOverride).toBeUndefined();
});

test("offers modes with channel counts only after a type is chosen; explains position and override", async () => {
  await open();
  const dialog = document.querySelector("[role=dialog]")!;
  for (const words of [
    "Create New Light",
    "Position determines the auto-calculated DMX address",
    "Leave empty for auto-calculation",
  ])
    expect(dialog.textContent).toContain(words);
  expect([field("Mode").disabled, field("DMX Address Override").min, field("DMX Address Override").max]).toEqual([
    true,
    "1",
    "512",
  ]);
  await chooseMode("rgb_par", "4 channels");
  expect(field("Mode").textContent).toContain("4 channels (4 channels)");
  expect(() => field("Enabled")).toThrow("there is no field");
  await type(field("Position"), "3");
  await eventually(() => expect(dialog.textContent).toContain("Calculated DMX address: 9 - 12"));
  for (const name of ["Cancel", "Create Light"]) expect(button(name)).toBeDefined();
});

test("shows why the address calculation fails, until it succeeds", async () => {
  failure = new ConnectError("The database cannot be reached.", Code.Unavailable);
  await open();
  await chooseMode("rgb_par", "4 channels");
  const says = () => [...document.querySelectorAll("[role=alert]")].map(({ textContent }) => textContent);
  const wanted = "The DMX address could not be calculated: [unavailable] The database cannot be reached.";
  await eventually(() => expect(says()).toEqual([wanted]));
  // An override makes the calculation unnecessary.
  await type(field("DMX Address Override"), "100");
  expect(says()).toEqual([]);
  await type(field("DMX Address Override"), "");
  await eventually(() => expect(says()).toEqual([wanted]));
  failure = undefined;
  await type(field("Position"), "9");
  await eventually(() => expect(document.body.textContent).toContain("Calculated DMX address: 9 - 12"));
  expect(says()).toEqual([]);
});

test("focuses the first invalid field once, even in a collapsed section, and does not steal the focus later", async () => {
  await open();
  button("Create Light").focus();
  const focused: string[] = [];
  const dialog = document.querySelector("[role=dialog]")!;
  dialog.addEventListener("focusin", () => focused.push(document.activeElement?.getAttribute("name") ?? ""));
  // The user moves to another field before the form has finished its focus handling.
  field("Label").addEventListener("focus", () => setTimeout(() => field("DMX Address Override").focus()), {
    once: true,
  });
  await press("Create Light");
  await eventually(() => expect(focused).toEqual(["label", "dmxOverride"]));
  await act(() => new Promise((next) => setTimeout(next, 50)));
  expect(focused).toEqual(["label", "dmxOverride"]);

  await type(field("Label"), "Par 3");
  await chooseMode("rgb_par", "4 channels");
  await type(field("Own channel order"), "purple");
  await press("Create Light");
  await eventually(() => expect(document.activeElement).toBe(field("Own channel order")));
});

test("has its own title and an Enabled checkbox when it edits a light", async () => {
  await open([par(1, 1)], par(1, 1));
  expect(document.body.textContent).toContain("Edit Light");
  expect(field("Enabled").checked).toBe(true);
  expect(button("Update Light")).toBeDefined();
});

// kept: Stage and lamps | A new light showed no address before a position was typed | failed with the fault put back
test("proposes the last position, and shows its address as soon as a mode is chosen", async () => {
  await open();
  expect(field("Position").value).toBe("3");
  await chooseMode("rgb_par", "4 channels");
  await eventually(() => expect(document.body.textContent).toContain("Calculated DMX address: 9 - 12"));
  expect(asked.at(-1)).toMatchObject({ position: "3", channelCount: 4 });
  expect(document.querySelector("[role=dialog] ul.sr-only")?.textContent).toContain("9–12 This light");
});

test("changing the type clears the mode, and nothing is sent without a mode", async () => {
  await open();
  await type(field("Label"), "Par 1");
  await chooseMode("bar", "24 channels");
  await choose("Light Type", "rgb_par");
  await eventually(() => expect(field("Mode").textContent).toContain("4 channels"));
  expect(field("Mode").value).toBe("");
  await press("Create Light");
  await eventually(() => expect(document.body.textContent).toContain("Mode is required"));
  expect(created).toEqual([]);
});

test("warns before patching that shows cannot drive the chosen mode", async () => {
  await open();
  await chooseMode("rgb_par", "4 channels");
  expect(document.body.textContent).not.toContain(UNDRIVEN);
  await chooseMode("bar", "24 channels");
  await eventually(() => expect(document.body.textContent).toContain(UNDRIVEN));
});

test("rejects an address override without room for every channel", async () => {
  await open();
  await type(field("Label"), "Bar 1");
  await chooseMode("bar", "24 channels");
  await type(field("DMX Address Override"), "500");
  const reason = "24 channels from address 500 end at 523, past 512. The last address that fits is 489.";
  await eventually(() => expect(document.body.textContent).toContain(reason));
  await press("Create Light");
  expect(created).toEqual([]);
  await type(field("DMX Address Override"), "489");
  await type(field("Position"), "");
  await press("Create Light");
  await eventually(() => expect(created).toMatchObject([{ dmxAddressOverride: 489 }]));
  expect(created[0]!.position).toBeUndefined();
});

// kept: Stage and lamps | A new light changed the addresses of others without a warning | also
test("asks before it readdresses other lights, names them, and saves nothing on Cancel", async () => {
  const onClose = await open();
  await type(field("Label"), "First");
  await chooseMode("bar", "24 channels");
  await type(field("Position"), "0");
  await press("Create Light");
  await eventually(() => expect(document.querySelector("[role=alertdialog]")?.textContent).toContain("Par 1"));
  expect(document.querySelector("[role=alertdialog]")?.textContent).toContain("Par 2");
  const no = [...document.querySelectorAll<HTMLElement>("[role=alertdialog] button")].find(
    ({ textContent }) => textContent === "Cancel",
  );
  await act(async () => no!.click());
  await eventually(() => expect(document.querySelector("[role=alertdialog]")).toBeNull());
  expect([created, onClose.mock.calls]).toEqual([[], []]);
  expect(button("Create Light").disabled).toBe(false);
});

test("patches a light into the chosen universe, and rejects an invalid universe", async () => {
  const onClose = await open();
  await type(field("Label"), "Par 3");
  await chooseMode("rgb_par", "4 channels");
  await type(field("Universe"), "0");
  await press("Create Light");
  await eventually(() => expect(document.body.textContent).toContain("Universe must be between 1 and 63999"));
  await type(field("Universe"), "2");
  await press("Create Light");
  await eventually(() => expect(onClose).toHaveBeenCalledOnce());
  expect(created).toMatchObject([{ universe: 2 }]);
});

test("offers haze in shows only for hazers, off by default", async () => {
  const hazer = par(3, 9, { lightType: "hazer" });
  await open([hazer], hazer);
  await eventually(() => expect(field("Haze in shows").value).toBe(""));
  await choose("Haze in shows", "puffs");
  await press("Update Light");
  await eventually(() => expect(updated.map(({ hazeInShows }) => hazeInShows)).toEqual(["puffs"]));
});

test("shows no haze setting for a par", async () => {
  await open([par(1, 1)], par(1, 1));
  await eventually(() => expect(field("Mode").value).toBe("4 channels"));
  expect(document.body.textContent).not.toContain("Haze in shows");
});

test("shows an error and does not save a light without an ID", async () => {
  await open([par(0, 9)], par(0, 9));
  await press("Update Light");
  await eventually(() => expect(document.body.textContent).toContain("Error: Light ID is required for update"));
  expect(updated).toEqual([]);
});

test("reports that the edited light was deleted, and asks for no confirmation of moves", async () => {
  await open([par(2, 5)], par(1, 1));
  await eventually(() => expect(document.body.textContent).toContain("This was deleted while you edit it."));
  await type(field("Label"), "Left");
  await press("Update Light");
  await eventually(() => expect(updated).toMatchObject([{ id: 1, label: "Left" }]));
});
