import { writeFile } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import type { Heard, Ledger } from "./asks.ts";
import type { Settled } from "./compare.ts";
import type { SeenLight } from "./venue-lamps.ts";

/** What one fault cost. */
export interface Row {
  readonly name: string;
  readonly ledger: Ledger;
  /** At venue A and at venue B. */
  readonly lights: readonly SeenLight[];
  readonly settled: Settled;
  readonly heard: Heard;
  /** Messages that every guest should have heard. */
  readonly messages: number;
  /** What is broken still a while after it; empty where all is well. */
  readonly lack: string;
}

export const HEAD = [
  "| fault | calls answered, refused first | longest wait for yes: office, doors | longest gap at lamps A, B | dark A, B | songs lost | rows lost | events lost | check-ins lost | doubled | told to read again | all there after |",
  "|---|---|---|---|---|---|---|---|---|---|---|---|",
];

export function rowOf({ name, ledger, lights, settled, heard }: Row): string {
  const { messages, gold, songs, checkIns, refused, longestMs, givenUp } = ledger;
  const let_in = Object.values(checkIns).flat().length;
  const answered = messages.length + gold.length + songs.length + let_in;
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const cells = [
    name,
    `${answered}, ${refused}${givenUp.length > 0 ? `, ${givenUp.length} given up` : ""}`,
    `${seconds(longestMs.office)}, ${seconds(longestMs.doors)}`,
    lights.map(({ longestGapMs }) => seconds(longestGapMs)).join(", "),
    lights.map(({ dark }) => dark).join(", "),
    settled.songs,
    settled.rows,
    heard.lost,
    settled.checkIns,
    settled.rowsDoubled + settled.songsDoubled + settled.checkInsDoubled + heard.doubled + heard.outOfOrder,
    heard.resets,
    seconds(settled.settledMs),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** Nothing that was answered with yes is missing or there twice, and no lamp was dark where its song has light. */
export function isNothingLost({ ledger, lights, settled, heard, lack }: Row): boolean {
  const { settledMs: _settled, ...losses } = settled;
  const lost = [...Object.values(losses), heard.lost, heard.doubled, heard.outOfOrder, ledger.givenUp.length];
  return lack === "" && [...lost, ...lights.map(({ dark }) => dark)].every((count) => count === 0);
}

/** @param seconds that the whole run took */
export async function writeFigures(rows: readonly Row[], clients: number, seconds: number): Promise<void> {
  const messages = rows.reduce((sum, row) => sum + row.messages, 0);
  const songs = rows.reduce((sum, { ledger }) => sum + ledger.songs.length, 0);
  const letIn = rows.reduce((sum, { ledger }) => sum + Object.values(ledger.checkIns).flat().length, 0);
  const machine = `${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}), ${Math.round(totalmem() / 2 ** 30)} GB`;
  const text = [
    "# Figures of a night over many hosts",
    "",
    `What the bench wrote on ${new Date().toISOString().slice(0, 10)}, on one machine with ${machine}, in ${Math.round(seconds / 60)} minutes:`,
    `19 hosts in network namespaces, ${clients} guests who listen, ${messages} messages that each of them should hear, ${songs} songs brought, ${letIn} people let in.`,
    "",
    ...HEAD,
    ...rows.map(rowOf),
    "",
  ];
  await writeFile(join(import.meta.dirname, "figures.md"), text.join("\n"));
}
