// @vitest-environment jsdom
import { create } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { TalkSchema, TalkService, type Talk, type UpdateTalkRequest } from "@followspot/contract/talk";
import { beforeEach, expect, test } from "vitest";
import type { ListSelection } from "../lib/list-selection.ts";
import { eventually, field, press, show, Surroundings, type } from "../testing/show.tsx";
import { SelectionBar } from "../ui/selection-bar.tsx";
import { Toasts } from "../ui/toast.tsx";
import { bulkMoves } from "./bulk-moves.tsx";
import { useMoveTalk } from "./talk.queries.ts";

const at = (time: string) => timestampFromDate(new Date(`2026-05-01T${time}`));
const talks: readonly Talk[] = [
  create(TalkSchema, { id: "Fog", startAt: at("20:00:30") }),
  create(TalkSchema, { id: "Owls", startAt: at("21:00:00") }),
  create(TalkSchema, { id: "Some day" }),
];
const nothing = () => undefined;
const chosen: ListSelection<Talk> = {
  count: talks.length,
  has: () => true,
  toggle: nothing,
  toggleLoaded: nothing,
  areAllLoadedChosen: true,
  isWhole: false,
  offered: undefined,
  chooseWhole: nothing,
  clear: nothing,
  rows: async () => talks,
};

let updated: UpdateTalkRequest[];
beforeEach(async () => {
  updated = [];
  await show(
    <Surroundings
      routes={(router) =>
        router.service(TalkService, {
          updateTalk: (request) => {
            updated.push(request);
            return {};
          },
        })
      }
    >
      <Bar />
      <Toasts />
    </Surroundings>,
  );
});

const Bar = () => <SelectionBar selection={chosen} actions={bulkMoves(useMoveTalk())} />;
const starts = () =>
  updated.map(({ talkId, startAt, clearStart }) => [talkId, startAt ? timestampDate(startAt) : clearStart]);
const isHere = (words: string) => eventually(() => expect(document.body.textContent).toContain(words));

test("shifts the chosen talks that have a time, earlier with a minus, and takes it back to the second", async () => {
  await press("Shift times");
  await type(field("Minutes"), "-15");
  await press("Shift");
  await isHere("Moved 2 talks 15 minutes earlier");
  expect(starts()).toEqual([
    ["Fog", new Date("2026-05-01T19:45:30")],
    ["Owls", new Date("2026-05-01T20:45")],
  ]);
  updated = [];
  await press("Undo");
  await eventually(() => expect(updated).toHaveLength(2));
  expect(starts()).toEqual([
    ["Fog", new Date("2026-05-01T20:00:30")],
    ["Owls", new Date("2026-05-01T21:00")],
  ]);
});

test("takes the times of the chosen talks away, and brings them back", async () => {
  await press("Clear times");
  await isHere("2 talks have no time now");
  expect(starts()).toEqual([
    ["Fog", true],
    ["Owls", true],
  ]);
  updated = [];
  await press("Undo");
  await eventually(() => expect(starts()[1]).toEqual(["Owls", new Date("2026-05-01T21:00")]));
});

test.each(["", "0", "1.5", "soon", "1441"])(
  "asks for whole minutes where %j was typed, and moves nothing",
  async (typed) => {
    await press("Shift times");
    await type(field("Minutes"), typed);
    await press("Shift");
    await isHere("Give whole minutes from 1 to 1,440, or with a minus");
    expect(updated).toEqual([]);
  },
);
