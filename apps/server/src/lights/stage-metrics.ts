import { outputHealthSchema, outputName, type OutputsHealth } from "@followspot/contract";
import type { Metrics } from "../platform/process/metrics.ts";
import type { LightsPorts } from "./lights.ports.ts";
import { listOutputRows } from "./outputs.store.ts";

/** All figures of one reading come from one answer. */
const READING_MS = 1000;

/** Figures of the stage and its outputs, as the stage tells them. */
export function countStage(metrics: Metrics, { sql, askStage }: Pick<LightsPorts, "sql" | "askStage">): void {
  let asked: { readonly at: number; readonly health: Promise<OutputsHealth> } | undefined;
  const health = (): Promise<OutputsHealth> => {
    const at = performance.now();
    if (!asked || at - asked.at > READING_MS)
      asked = { at, health: askStage("/health").then((told) => outputHealthSchema.parse(told)) };
    return asked.health;
  };
  const gauge = (name: string, help: string, of: (health: OutputsHealth) => number) =>
    metrics.gauge(`stage_${name}`, help, async () => of(await health()));
  metrics.gauge("stage_up", "1 while the stage answers", () =>
    health().then(
      () => 1,
      () => 0,
    ),
  );
  gauge("sending", "1 while frames leave", ({ sending }) => Number(sending));
  gauge("drives", "1 while this machine may drive the fixtures, 0 while another one on the same database does", ({ withheld_because }) => Number(!withheld_because)); // prettier-ignore
  gauge("rate_hz", "Frames that leave in a second", ({ rate_hz }) => rate_hz);
  gauge("jitter_seconds", "How far from its time a frame leaves, 95 of 100 frames no more", ({ jitter_ms }) => jitter_ms.p95 / 1000); // prettier-ignore
  metrics.totalPer("stage_late_frames", "Frames that left late since the stage started", [], async () => [
    [{}, (await health()).late_frames],
  ]);

  type Read = (output: OutputsHealth["outputs"][number]) => number;
  const perOutput = (of: Read) => async () => {
    const [{ outputs }, rows] = await Promise.all([health(), listOutputRows(sql)]);
    const names = new Map(rows.map((row) => [row.id, outputName(row)]));
    return outputs.map((output) => [{ id: output.id, name: names.get(output.id) ?? "" }, of(output)] as const);
  };
  const labels = ["id", "name"] as const;
  metrics.gaugePer("output_up", "1 while an output sends or is ready to", labels, perOutput(({ state }) => Number(state !== "down"))); // prettier-ignore
  metrics.totalPer("output_packets", "Packets an output has sent since the stage started", labels, perOutput(({ packets }) => packets)); // prettier-ignore
  metrics.totalPer("output_send_errors", "Packets that could not be sent since the stage started", labels, perOutput(({ send_errors }) => send_errors)); // prettier-ignore
}
