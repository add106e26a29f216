// @vitest-environment jsdom
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { LightGroupSchema, LightSchema, LightsService } from "@followspot/contract/lights";
import { act } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { button, choose, eventually, field, press, show, type } from "../testing/show.tsx";
import { GroupDialog } from "./group-dialog.tsx";

const LIGHTS = [1, 2, 3].map((id) => create(LightSchema, { id, label: `Par ${id}`, dmxAddress: id * 4 - 3 }));
const front = () =>
  create(LightGroupSchema, {
    id: "front",
    name: "Front",
    type: "par",
    fixtureIds: [1, 2],
    enabled: true,
    updatedAt: timestampFromMs(1000),
  });

let sent: object[];
let stored: ReturnType<typeof front>;
let refusal: ConnectError | undefined;
/** Whether the group exists on the server. */
let isThere: boolean;

beforeEach(() => {
  sent = [];
  stored = front();
  refusal = undefined;
  isThere = true;
});

function routes(router: ConnectRouter): void {
  const take = (request: object) => {
    sent.push(request);
    if (refusal) throw refusal;
    return { group: stored };
  };
  router.service(LightsService, {
    getGroup: () => {
      if (!isThere) throw new ConnectError("There is no group", Code.NotFound);
      return { group: stored };
    },
    createGroup: (request) => {
      if (!isThere) [isThere, refusal] = [true, undefined];
      return take(request);
    },
    updateGroup: take,
  });
}

async function open(group?: ReturnType<typeof front>, lights = LIGHTS) {
  const onClose = vi.fn();
  await show(<GroupDialog group={group} lights={lights} onClose={onClose} />, { routes });
  return onClose;
}
const tick = (label: string) => act(async () => field(label).click());

test("sends nothing without an ID, a name, a type and a light", async () => {
  await open();
  await press("Create Group");
  await eventually(() => expect(document.body.textContent).toContain("ID is required"));
  for (const wanted of ["Name is required", "Type is required", "At least one light must be selected"])
    expect(document.body.textContent).toContain(wanted);
  expect(sent).toEqual([]);
});

test("explains the ID, and lists each light with its label or number and its address", async () => {
  await open(undefined, [...LIGHTS, create(LightSchema, { id: 9, dmxAddress: 33 })]);
  const text = () => document.querySelector("[role=dialog]")?.textContent;
  for (const words of [
    "Create New Group",
    "Unique identifier (lowercase, underscores allowed)",
    "Par 2 DMX 5",
    "Light 9 DMX 33",
  ])
    expect(text()).toContain(words);
  expect(() => field("Enabled")).toThrow("there is no field");
  await press("Cancel");
});

test("creates a group of the checked lights and shows their count", async () => {
  const onClose = await open();
  await type(field("ID"), " back ");
  await type(field("Name"), "Back");
  await choose("Type", "par");
  await tick("Par 3");
  await tick("Par 1");
  expect(document.body.textContent).toContain("Lights * (2 selected)");
  await press("Create Group");
  await eventually(() => expect(onClose).toHaveBeenCalledOnce());
  expect(sent).toMatchObject([{ id: "back", name: "Back", type: "par" }]);
  expect([...(sent[0] as { fixtureIds: number[] }).fixtureIds].toSorted()).toEqual([1, 3]);
});

test("an edit starts with the current values and can disable the group", async () => {
  const onClose = await open(front());
  expect(() => field("ID")).toThrow("there is no field");
  expect([field("Par 1").checked, field("Par 2").checked, field("Par 3").checked]).toEqual([true, true, false]);
  await tick("Par 2");
  await tick("Enabled");
  await press("Update Group");
  await eventually(() => expect(onClose).toHaveBeenCalledOnce());
  expect(sent).toMatchObject([{ id: "front", fixtureIds: [1], enabled: false, ifUpdatedAt: { seconds: 1n } }]);
});

test("shows a rejection in the dialog and preserves the input", async () => {
  refusal = new ConnectError("There is a group with this id already", Code.AlreadyExists);
  const onClose = await open();
  await type(field("ID"), "front");
  await type(field("Name"), "Another");
  await choose("Type", "par");
  await tick("Par 1");
  await press("Create Group");
  await eventually(() => expect(document.body.textContent).toContain("There is a group with this id already"));
  expect([field("Name").value, field("Par 1").checked]).toEqual(["Another", true]);
  expect(onClose).not.toHaveBeenCalled();
});

test("a concurrent change is shown before it is overwritten, and can be loaded", async () => {
  await open(front());
  expect(document.body.textContent).toContain("Edit Group");
  await type(field("Name"), "Front of house");
  stored = { ...front(), name: "Front truss", fixtureIds: [1, 2, 3], updatedAt: timestampFromMs(2000) };
  refusal = new ConnectError("Another person has changed this group", Code.Aborted);
  await press("Update Group");
  await eventually(() => expect(document.body.textContent).toContain("Another person has changed this"));
  await eventually(() => expect(document.body.textContent).toContain("Load theirs"));
  await press("Load theirs");
  expect([field("Name").value, field("Par 3").checked]).toEqual(["Front truss", true]);
});

// kept: Changes | A user who was deleted while another Admin edited them was saved without an error | also
test("restores a group deleted during the edit with its remaining lights, then saves the edit", async () => {
  const onClose = await open(front(), LIGHTS.slice(1));
  await type(field("Name"), "Front of house");
  [isThere, refusal] = [false, new ConnectError("Mira Falk deleted this group meanwhile", Code.Aborted)];
  await press("Update Group");
  await eventually(() => expect(document.body.textContent).toContain("Mira Falk deleted this group meanwhile."));
  await eventually(() => expect(() => button("Restore and save")).not.toThrow());
  expect(document.body.textContent).not.toContain("Load theirs");
  await press("Restore and save");
  await eventually(() => expect(onClose).toHaveBeenCalledOnce());
  expect(sent.slice(1)).toMatchObject([
    { id: "front", name: "Front", fixtureIds: [2] },
    { id: "front", name: "Front of house", ifUpdatedAt: { seconds: 1n } },
  ]);
});

test("shows a message if no lights exist", async () => {
  await open(undefined, []);
  expect(document.body.textContent).toContain("No lights available");
});

test("shows an error and does not save a group without an ID", async () => {
  await open({ ...front(), id: "" });
  await press("Update Group");
  await eventually(() => expect(document.body.textContent).toContain("Error: Group ID is required for update"));
  expect(sent).toEqual([]);
});

test("offers the group types in their defined order", async () => {
  await open();
  const offered = [...field("Type").querySelectorAll("option")].map(({ value }) => value).filter(Boolean);
  expect(offered).toEqual(["wash", "par", "bar", "spot", "strobe", "effect", "mixed"]);
});

test("scrolls the list of lights within 16 rem", async () => {
  await open();
  expect(document.querySelector("[role=dialog] .max-h-64.overflow-auto")?.textContent).toContain("Par 2");
});
