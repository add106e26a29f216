/**
 * What the lamps see of a night's faults while a console plays a song: connections that break or fall silent, parts that die or
 * hang, two of them at once, other people's pages. Each is compared with the same seconds of the song without a fault: a
 * frame is dark where the song is lit there.
 *
 *   npm run bench:night-faults -- [--out docs/guide/night-faults.svg] [--only TEXT]
 *
 * About twelve minutes. Prints a table; ends with 1 when a promise is broken. Traffic goes to loopback only.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { BEFORE, faultsOf, isKept, longestDark, nameOf, Night } from "../../e2e/testing/night.ts";
import { drawFailures, type FailureRow } from "./draw-failures.ts";

const { values } = parseArgs({ options: { out: { type: "string" }, only: { type: "string", default: "" } } });
const say = (line: string) => process.stdout.write(`${line}\n`);
const night = await Night.open();
const rows: FailureRow[] = [];
let isAllKept = true;
try {
  const faults = faultsOf(night).filter(({ title }) => title.includes(values.only));
  const control = await night.watch({ seconds: Math.max(...faults.map(({ seconds }) => seconds)) });
  say("| fault | dark, ms (promised) | longest wait for a frame, ms | back after, ms (promised) | |");
  say("|---|---|---|---|---|");
  for (const fault of faults) {
    const { title, darkMs, back } = fault;
    const seen = await night.watch(fault);
    const kept = isKept(fault, seen, control);
    isAllKept &&= kept;
    rows.push({ title, ...seen });
    const returned = back ? `${nameOf(back[0])}: ${seen.backMs ?? "never"} (${back[1]})` : "";
    const dark = `${longestDark(seen, control)} (${darkMs})`;
    say(`| ${title} | ${dark} | ${seen.longestGap} | ${returned} | ${kept ? "kept" : "BROKEN"} |`);
  }
} finally {
  await night.close();
}
if (values.out) writeFileSync(values.out, drawFailures(rows, BEFORE));
process.exitCode = isAllKept ? 0 : 1;
