import { create } from "@bufbuild/protobuf";
import { OutputSchema, type Output } from "@followspot/contract/lights";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { OffsetKeeper, type OffsetView } from "./offset-keeper.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const output = (id: string, offsetMs: number): Output => create(OutputSchema, { id, offsetMs });

function kept(outputs: readonly Output[], takesMs = 0) {
  const sent: [string, number][] = [];
  const views: OffsetView[] = [];
  let refuses = false;
  const keeper = new OffsetKeeper({
    outputs,
    onChange: (view) => views.push(view),
    save: async (each) => {
      sent.push([each.id, each.offsetMs]);
      if (takesMs > 0) await new Promise((later) => setTimeout(later, takesMs));
      if (refuses) throw new Error("no");
      return { ...each, label: `${each.label}+` };
    },
  });
  return { keeper, sent, last: () => views.at(-1)!, refuse: (on: boolean) => (refuses = on) };
}

it("throttles saves during a drag, and always sends the last value", async () => {
  const { keeper, sent, last } = kept([output("a", -10)]);
  for (let ms = -9; ms <= 40; ms++) {
    keeper.set(ms);
    await vi.advanceTimersByTimeAsync(20);
  }
  await vi.advanceTimersByTimeAsync(500);
  expect(sent.length).toBeLessThan(8);
  expect(sent.at(-1)).toEqual(["a", 40]);
  expect(last()).toEqual({ value: 40, saving: "saved", problem: undefined, isChanged: true });
});

it("sends one change at a time, even if the server is slow", async () => {
  const { keeper, sent, last } = kept([output("a", 0)], 700);
  keeper.set(5);
  await vi.advanceTimersByTimeAsync(250);
  keeper.set(6);
  await vi.advanceTimersByTimeAsync(250);
  keeper.set(7);
  expect(sent).toEqual([["a", 5]]);
  await vi.advanceTimersByTimeAsync(3000);
  expect([sent.at(-1), last().saving]).toEqual([["a", 7], "saved"]);
});

it("shifts several outputs by the same amount from their own offsets, and restores each", async () => {
  const { keeper, sent, last } = kept([output("a", -10), output("b", 30), output("c", 990)]);
  expect(keeper.view.value).toBe(0);
  keeper.set(20);
  await vi.advanceTimersByTimeAsync(300);
  expect(sent).toEqual([
    ["a", 10],
    ["b", 50],
    ["c", 1000],
  ]);
  await keeper.cancel();
  expect(sent.slice(3)).toEqual([
    ["a", -10],
    ["b", 30],
    ["c", 990],
  ]);
  expect(last()).toMatchObject({ value: 0, isChanged: false, saving: "saved" });
});

it("restores the last confirmed value on cancel", async () => {
  const { keeper, sent, last } = kept([output("a", 0)]);
  keeper.set(25);
  expect(await keeper.keep()).toBe(true);
  expect(last()).toMatchObject({ value: 25, isChanged: false });
  keeper.set(99);
  await vi.advanceTimersByTimeAsync(300);
  await keeper.cancel();
  expect(sent).toEqual([
    ["a", 25],
    ["a", 99],
    ["a", 25],
  ]);
});

it("reports a rejected save, confirms nothing, and retries with the next change", async () => {
  const { keeper, last, refuse } = kept([output("a", 0)]);
  refuse(true);
  keeper.set(10);
  await vi.advanceTimersByTimeAsync(300);
  expect(last()).toMatchObject({ saving: "failed", value: 10 });
  expect(await keeper.keep()).toBe(false);
  refuse(false);
  keeper.set(12);
  await vi.advanceTimersByTimeAsync(300);
  expect(last()).toMatchObject({ saving: "saved", value: 12, problem: undefined });
});

it("clamps the offset to the allowed range", () => {
  const { keeper } = kept([output("a", 0)]);
  keeper.set(5000);
  expect(keeper.view.value).toBe(1000);
  keeper.set(-5000.4);
  expect(keeper.view.value).toBe(-1000);
});
