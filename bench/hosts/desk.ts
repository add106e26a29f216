/** What the bench does on its desk, the host from which all others are reached: `run.ts` starts it there, with an empty folder. */
import { parseArgs } from "node:util";
import { FAULTS } from "./faults.ts";
import { Night } from "./night.ts";
import { NAMES, Parts } from "./parts.ts";
import { HEAD, isNothingLost, rowOf, writeFigures, type Row } from "./report.ts";
import { Hosts } from "./topology.ts";

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", default: "" },
    clients: { type: "string", default: "300" },
    keep: { type: "boolean" },
  },
});
const say = (line: string) => process.stderr.write(`${line}\n`);
const faults = FAULTS.filter(({ name }) => flags.only.split(",").some((text) => name.includes(text)));
if (faults.length === 0) {
  say(`There is no such fault. These are:\n${FAULTS.map(({ name }) => `  ${name}`).join("\n")}`);
  process.exit(2);
}
const [folder = ""] = positionals;
const clients = Number(flags.clients);
const from = performance.now();
const rows: Row[] = [];
const parts = await Parts.open(new Hosts(NAMES), folder);
const night = await Night.open(parts, clients, say);
say(`the night begins after ${Math.round((performance.now() - from) / 1000)} s`);
process.stdout.write(`${HEAD.join("\n")}\n`);
for (const fault of faults) {
  say(`${new Date().toISOString().slice(11, 19)} ${fault.name}`);
  const row = await night.suffer(fault);
  rows.push(row);
  process.stdout.write(`${rowOf(row)}\n`);
  for (const call of row.ledger.givenUp) say(`  given up: ${call}`);
  if (row.lack !== "") say(`  not well: ${row.lack}`);
  if (flags.only === "") await writeFigures(rows, clients, (performance.now() - from) / 1000);
}
process.exit(rows.every(isNothingLost) ? 0 : 1);
