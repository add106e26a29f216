// @vitest-environment jsdom
import { expect, test } from "vitest";
import { show } from "../testing/show.tsx";
import { LagLine } from "./lag-line.tsx";

const point = (secondsAgo: number, waiting: number) => ({ secondsAgo, waiting });
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
const line = (props: Partial<Parameters<typeof LagLine>[0]>) =>
  show(<LagLine waiting={0} oldestWaitingAt="" trend={[]} readAt={Date.now()} {...props} />);

test("shows the number of waiting messages and the age of the oldest", async () => {
  const words = async (seconds: number) => (await line({ waiting: 1200, oldestWaitingAt: ago(seconds) })).textContent;
  for (const [seconds, age] of [
    [12.5, "12 s"],
    [95, "1 min"],
    [3 * 3600 + 125, "3 h 2 min"],
  ] as const)
    expect(await words(seconds)).toMatch(new RegExp(`Waiting1,200Oldest${age}`));
  expect((await line({})).textContent).toContain("Waiting0Oldest—");
});

test("names the period of the trend: one hour, or less if the server has less data", async () => {
  const period = async (...trend: ReturnType<typeof point>[]) => (await line({ trend })).textContent;
  expect(await period(point(3590, 4), point(0, 1))).toContain("Last hour · max 4");
  expect(await period(point(720, 4), point(0, 1))).toContain("Last 12 min · max 4");
  expect(await period()).toContain("No trend yet");
});

test("describes the trend for screen readers", async () => {
  const place = await line({ waiting: 3, trend: [point(60, 1400), point(30, 12)] });
  expect(place.querySelector("[role=slider]")?.getAttribute("aria-label")).toBe("At most 1,400 waited, 3 wait now");
});
