// Command line options of the programs that people start. Plain JavaScript for Node >= 20: `npm start -- --help` reads it before
// anything is installed.
import { parseArgs } from "node:util";

/** Exit code if the command line is wrong. */
const WRONG_USE = 2;
const HTTPS = { name: "https", does: "serve the console over https, as FOLLOWSPOT_HTTPS=on" };
const FOLDER = { positional: "FOLDER" };

/** Program → its command, what it does, and its options. An option with `value` takes one. `does` is one line of its help. */
export const PROGRAMS = {
  start: {
    usage: "npm start -- [OPTIONS]",
    does: "Starts Followspot: installs what is missing, builds console and server once, and prints where the console is.",
    options: [
      { name: "demo", does: "a demo night with a data folder and a database of its own" },
      HTTPS,
      { name: "community", value: "FILE", does: "another community, with the settings that add-community wrote" },
    ],
    more: "Settings are environment variables: docs/guide/install.md.",
  },
  dev: {
    usage: "npm run dev -- [OPTIONS]",
    does: "Starts Followspot from its sources, with live reload.",
    options: [{ name: "demo", does: "a demo night with a data folder and a database of its own" }, HTTPS],
    more: "Settings are environment variables: docs/guide/install.md.",
  },
  venue: {
    usage: "npm run venue -- --server https://office.example --token fsv_…",
    does: "Runs a venue server, which copies tonight's data from its office and continues without it.",
    options: [
      { name: "server", value: "URL", does: "address of the office (FOLLOWSPOT_VENUE_SERVER)" },
      { name: "token", value: "TOKEN", does: "token from its Workers page (FOLLOWSPOT_VENUE_TOKEN)" },
      HTTPS,
    ],
    more: "See “Venue servers” in docs/guide/scale.md.",
  },
  worker: {
    usage: "npm run worker -- --server https://office.example --token fsw_…",
    does: "Processes the songs of a Followspot on another machine.",
    options: [
      { name: "server", value: "URL", does: "address of that Followspot (FOLLOWSPOT_WORKER_SERVER)" },
      { name: "token", value: "TOKEN", does: "token from its Workers page (FOLLOWSPOT_WORKER_TOKEN)" },
      {
        name: "steps",
        value: "STEPS",
        does: "some of download,analysis,lighting,stems; all by default (FOLLOWSPOT_WORKER_STEPS)",
      },
    ],
    more: "See “Remote workers” in docs/guide/scale.md.",
  },
  build: { usage: "npm run build", does: "Installs the packages and builds console and server.", options: [] },
  sbom: { usage: "npm run -s sbom", does: "Prints the packages of the product as CycloneDX JSON.", options: [] },
  site: {
    usage: "npm run site -- [--out DIR]",
    does: "Writes the documents as a static site.",
    options: [{ name: "out", value: "DIR", does: "folder of the site, which is replaced; ./site by default" }],
  },
  generate: {
    usage: "npm run generate",
    does: "Generates TypeScript from the proto files, and the list of past faults.",
    options: [{ name: "check", does: "write nothing; fail if a committed file differs" }],
  },
  "pack:contract": {
    usage: "npm run -s pack:contract [FOLDER]",
    does: "Packs the client of the API for other apps, and prints the path of the package.",
    options: [],
    ...FOLDER,
  },
  "pack:song": {
    usage: "npm run -s pack:song [FOLDER]",
    does: "Packs the song commands as followspot-song, and prints the path of the package.",
    options: [],
    ...FOLDER,
  },
};

/**
 * Reads the command line of a program. Prints help and exits with 0 for --help; names what is wrong and exits with 2 otherwise.
 *
 * @param program name in PROGRAMS
 * @param args arguments without Node and script
 * @returns the given options by name, and the positional argument
 */
export function readOptions(program, args = process.argv.slice(2)) {
  const known = PROGRAMS[program];
  const options = Object.fromEntries(
    known.options.map(({ name, value }) => [name, { type: value === undefined ? "boolean" : "string" }]),
  );
  const { values, positionals, tokens } = parseArgs({
    args,
    options: { ...options, help: { type: "boolean", short: "h" } },
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  if (values.help) {
    process.stdout.write(helpOf(known));
    process.exit(0);
  }
  const wrong = wrongToken(known, tokens) ?? wrongPositional(known, positionals);
  if (wrong !== undefined) {
    process.stderr.write(`${wrong}\n\n${helpOf(known)}`);
    process.exit(WRONG_USE);
  }
  return { values, positional: positionals[0] };
}

/** Ends a program whose command line lacks something, with its help. */
export function exitWrongUse(program, message) {
  process.stderr.write(`${message}\n\n${helpOf(PROGRAMS[program])}`);
  process.exit(WRONG_USE);
}

function wrongToken({ options }, tokens) {
  for (const { kind, name, rawName, value } of tokens) {
    if (kind !== "option") continue;
    const option = options.find((each) => each.name === name);
    if (option === undefined) return `Unknown option ${rawName}.`;
    if (option.value === undefined && value !== undefined) return `${rawName} takes no value.`;
    if (option.value !== undefined && !value) return `${rawName} needs a value: ${rawName} ${option.value}`;
  }
}

function wrongPositional({ positional }, given) {
  const extra = given[positional === undefined ? 0 : 1];
  return extra === undefined ? undefined : `Unexpected argument ${extra}.`;
}

function helpOf({ usage, does, options, more }) {
  const rows = [...options, { name: "help", does: "print this help" }].map(({ name, value, does: text }) => [
    `--${name}${value === undefined ? "" : ` ${value}`}`,
    text,
  ]);
  const width = Math.max(...rows.map(([option]) => option.length));
  const lines = rows.map(([option, text]) => `  ${option.padEnd(width)}  ${text}`);
  return `${does}\n\n  ${usage}\n\n${lines.join("\n")}\n${more === undefined ? "" : `\n${more}\n`}`;
}
