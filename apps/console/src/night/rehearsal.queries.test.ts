import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { EventSchema } from "@followspot/contract/event";
import { expect, test } from "vitest";
import { nextEvent } from "./rehearsal.queries.ts";

const HOUR = 3_600_000;
const event = (id: string, startsInHours: number) =>
  create(EventSchema, {
    id,
    startsAt: timestampFromMs(1e12 + startsInHours * HOUR),
    endsAt: timestampFromMs(1e12 + (startsInHours + 4) * HOUR),
  });

test("the event that is on is rehearsed, else the next one, else the last one", () => {
  const [later, next, on, past] = [event("later", 48), event("next", 24), event("on", -1), event("past", -48)];
  expect(nextEvent([later, next, on, past], 1e12)?.id).toBe("on");
  expect(nextEvent([later, next, past], 1e12)?.id).toBe("next");
  expect(nextEvent([past, event("older", -72)], 1e12)?.id).toBe("past");
  expect(nextEvent([], 1e12)).toBeUndefined();
});
