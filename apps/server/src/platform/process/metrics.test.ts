import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { countBackups } from "../../operations/backup/last-backup.ts";
import { Metrics } from "./metrics.ts";

interface Alert {
  readonly alert: string;
  readonly expr: string;
}
const file = readFileSync(new URL("../../../../../deploy/monitoring/alerts.yml", import.meta.url), "utf8");
const alerts = (parse(file) as { groups: [{ rules: readonly Alert[] }] }).groups[0].rules;

/** Metrics that differ between servers: alerts judge each server separately. */
const PER_SERVER = ["followspot_free_bytes"];

/** Returns the value of a metric without labels. */
const valueOf = async (metrics: Metrics, name: string) =>
  new RegExp(`^followspot_${name} (.*)$`, "m").exec(await metrics.text())?.[1];

// kept: Changes | The alert for old backups never fired if there was no backup: NaN is not greater than anything |
// failed on the old code
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
  // The process was restarted.
  read = async () => [[{}, 2]];
  expect(await valueOf(metrics, "frames_total")).toBe("2");
  expect(await metrics.text()).toContain("# TYPE followspot_frames_total counter");
});

test.each(alerts)("the alert $alert works with several API servers, and across restarts", ({ expr }) => {
  // There is no PromQL parser here, so the test forbids the forms that have failed.
  expect(expr).not.toMatch(/\bdelta\(/);
  for (const [, before, name = ""] of expr.matchAll(/(\w*(?: by \([\w, ]+\) )?\()?(followspot_\w+)/g)) {
    const functions = name.endsWith("_total") ? /^(increase|rate)\($/ : /^(max|min|absent)\b/;
    if (!PER_SERVER.includes(name)) expect(before, expr).toMatch(functions);
  }
});

test("an alert fires if there are no metrics of the stage", () => {
  expect(alerts.find(({ alert }) => alert === "StageDown")!.expr).toContain("absent(followspot_stage_up)");
});
