import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { countBackups } from "../backup/last-backup.ts";
import { Metrics } from "./metrics.ts";

interface Alert {
  readonly alert: string;
  readonly expr: string;
}
const file = readFileSync(new URL("../../../../deploy/monitoring/alerts.yml", import.meta.url), "utf8");
const alerts = (parse(file) as { groups: [{ rules: readonly Alert[] }] }).groups[0].rules;

/** Figures that differ between servers: each is judged by itself. */
const PER_SERVER = ["followspot_free_bytes"];

/** Value of a figure without labels. */
const valueOf = async (metrics: Metrics, name: string) =>
  new RegExp(`^followspot_${name} (.*)$`, "m").exec(await metrics.text())?.[1];

// kept: Changes | The alert for old backups never fired where no backup was ever taken: NaN is not greater than anything | failed on the old code
test.each([
  [null, "+Inf"],
  [{ folder: "/b", takenAt: new Date(Date.now() - 3_600_000).toISOString(), bytes: 1 }, /^36\d\d(\.\d+)?$/],
])("the age of the last backup %j is comparable", async (taken, expected) => {
  const metrics = new Metrics();
  countBackups(metrics, async () => ({ taken, failed: null }));
  expect(await valueOf(metrics, "backup_age_seconds")).toMatch(expected);
});

test("a count of another process is a counter, and keeps its value while it cannot be read", async () => {
  const metrics = new Metrics();
  let read = async (): Promise<[[object, number]]> => [[{}, 7]];
  metrics.totalPer("frames", "Frames", [], () => read());
  expect(await valueOf(metrics, "frames_total")).toBe("7");
  read = () => Promise.reject(new Error("away"));
  expect(await valueOf(metrics, "frames_total")).toBe("7");
  // The process was started again.
  read = async () => [[{}, 2]];
  expect(await valueOf(metrics, "frames_total")).toBe("2");
  expect(await metrics.text()).toContain("# TYPE followspot_frames_total counter");
});

test.each(alerts)("the alert $alert holds with several API servers, and over restarts", ({ expr }) => {
  // PromQL has no parser here: the forms that have failed are named instead.
  expect(expr).not.toMatch(/\bdelta\(/);
  for (const [, before, name = ""] of expr.matchAll(/(\w*(?: by \([\w, ]+\) )?\()?(followspot_\w+)/g)) {
    const functions = name.endsWith("_total") ? /^(increase|rate)\($/ : /^(max|min|absent)\b/;
    if (!PER_SERVER.includes(name)) expect(before, expr).toMatch(functions);
  }
});

test("an alert fires where nothing is known of the stage", () => {
  expect(alerts.find(({ alert }) => alert === "StageDown")!.expr).toContain("absent(followspot_stage_up)");
});
