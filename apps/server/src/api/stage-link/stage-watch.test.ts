import { expect, test } from "vitest";
import { StageWatch } from "./stage-watch.ts";

test("a stage is reported once it has not answered for longer than its replacement takes, until it answers again", async () => {
  let answers = true;
  let now = 0;
  const ask = () => (answers ? Promise.resolve({}) : Promise.reject(new Error("refused")));
  const watch = new StageWatch(ask, () => now);
  const lookAt = async (ms: number) => {
    now = ms;
    await watch.look();
    return watch.reasons.length;
  };
  expect(await lookAt(0)).toBe(0);
  answers = false;
  expect(await lookAt(1000)).toBe(0);
  expect(await lookAt(5900)).toBe(0);
  expect(await lookAt(6000)).toBe(1);
  expect(watch.reasons[0]).toContain("The stage does not answer");
  answers = true;
  expect(await lookAt(6500)).toBe(0);
  answers = false;
  expect(await lookAt(60_000)).toBe(0);
});

test("a stage that may not send is reported with its reason while it answers", async () => {
  let health: object = {};
  const watch = new StageWatch(async () => health);
  await watch.look();
  expect(watch.withheldBecause).toBeUndefined();
  health = { withheld_because: "Followspot on two drives the fixtures." };
  await watch.look();
  expect(watch.withheldBecause).toBe("Followspot on two drives the fixtures.");
  expect(watch.reasons).toEqual([]);
  health = {};
  await watch.look();
  expect(watch.withheldBecause).toBeUndefined();
});
