/**
 * `npm run bench`: runs the benches that back what the product says about speed, one after the other, and writes
 * docs/benchmarks.md: date, machine, and of each bench what it printed, with both sides and their ratios. About twenty minutes on
 * two cores; anything else that runs on the machine beside it shows in the figures.
 *
 *   npm run bench                          all of them
 *   npm run bench -- --only render,dmx     these; of the others the page keeps what it said before
 */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../../e2e/testing/product.ts";

interface Bench {
  /** Its script without `bench:`. */
  readonly name: string;
  readonly title: string;
  /** What the two sides are, and what is good. */
  readonly about: string;
}

const BENCHES: readonly Bench[] = [
  {
    name: "render",
    title: "Planning and rendering a show",
    about: "Milliseconds of one core, and how they grow with universes, lamps and cues.",
  },
  {
    name: "dmx",
    title: "How late DMX packets are",
    about: "The stage beside a process that only sleeps to the same grid and sends one packet.",
  },
  {
    name: "commands",
    title: "From a press to the wire",
    about: "Presses of the desk and commands of a console, through the whole product to a node on loopback.",
  },
  {
    name: "api",
    title: "What an answer of the API costs",
    about: "Processor time per 1,000 answers, beside a plain fastify and pg server on the same 100,000 people.",
  },
  {
    name: "sockets",
    title: "How soon 5,000 clients hear of a change",
    about: "Beside a plain ws server that tells everybody what is posted to it.",
  },
  {
    name: "batch",
    title: "How soon songs are lit",
    about: "Seconds from the first upload of a batch of songs of one minute.",
  },
  {
    name: "lists",
    title: "Long lists",
    about: "Milliseconds from a press to the paint in a list of 100,000 people; 100 are wanted at most.",
  },
  {
    name: "fixtures",
    title: "Searching the fixture library",
    about: "Milliseconds of a search among 2,000 definitions.",
  },
];

const HEAD = [
  "# Benchmarks",
  "",
  "Written by `npm run bench`. Each part says when and on which machine it was measured; both sides of a comparison run in the",
  "same minutes. Machines differ: ratios are worth more than milliseconds. What lamps see when parts fail is drawn in",
  "[outputs](guide/outputs.md#when-something-breaks); how well songs are heard and lit stands beside the benches, in",
  "`bench/analysis` and `bench/shows`.",
  "",
].join("\n");
const PAGE = join(ROOT, "docs/benchmarks.md");
const GIB = 1024 ** 3;

const { values } = parseArgs({ options: { only: { type: "string" } } });
const only = values.only?.split(",");
const unknown = only?.filter((name) => !BENCHES.some((bench) => bench.name === name)) ?? [];
if (unknown.length > 0) {
  process.stderr.write(`--only: ${unknown.join()} is not one of ${BENCHES.map(({ name }) => name).join()}\n`);
  process.exit(1);
}

const before = sectionsOf(readPage());
const sections: string[] = [];
for (const bench of BENCHES) {
  const isRun = only?.includes(bench.name) ?? true;
  const section = isRun ? await measure(bench) : before.get(bench.title);
  if (section !== undefined) sections.push(section);
}
writeFileSync(PAGE, `${HEAD}\n${sections.join("\n")}`);

async function measure({ name, title, about }: Bench): Promise<string> {
  process.stdout.write(`${title}…\n`);
  const load = loadavg()[0]!.toFixed(1);
  const { code, printed } = await run(["run", "-s", `bench:${name}`]);
  const outcome = code === 0 ? "" : " **It ended with an error: a bar was missed, or it could not run.**";
  const command = ["npm", "run", `bench:${name}`].join(" ");
  return `## ${title}

${about} \`${command}\`, ${new Date().toISOString().slice(0, 10)}, ${machine()}, load ${load} before.${outcome}

\`\`\`text
${printed.trim()}
\`\`\`
`;
}

function machine(): string {
  const [first] = cpus();
  return `${cpus().length} cores (${first?.model.trim() || "unknown model"}), ${Math.round(totalmem() / GIB)} GiB, Node ${process.versions.node}`;
}

/** Title of each part of the page → the part. */
function sectionsOf(page: string): ReadonlyMap<string, string> {
  const parts = page.split(/^(?=## )/m).filter((part) => part.startsWith("## "));
  return new Map(parts.map((part) => [part.slice(3, part.indexOf("\n")), `${part.trimEnd()}\n`]));
}

function readPage(): string {
  try {
    return readFileSync(PAGE, "utf8");
  } catch {
    return ""; // the first time
  }
}

function run(args: readonly string[]): Promise<{ code: number | null; printed: string }> {
  const child = spawn("npm", args, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, printed })));
}
