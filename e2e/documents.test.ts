import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SPOT } from "../packages/lighting/src/fixture-formats/testing/samples.ts";
import { findOnPath } from "../apps/server/src/platform/process/programs.ts";
import { commandsOf, PAGES, textOf, type Command } from "../apps/server/src/testing/documents.ts";
import { synthesiseSong } from "../apps/server/src/testing/synthetic-song.ts";
import { workspaceText } from "../apps/server/src/testing/workspace-file.ts";
import { removeData, ROOT, startProduct, type Product } from "./testing/product.ts";
import { lightPars } from "./testing/songs.ts";

/** No node listens on this port. */
const DISCARD_PORT = 9;

/** Commands of the pages that are not run, with the reason. */
const NOT_RUN: readonly (readonly [command: RegExp, reason: string])[] = [
  [/^npm (start|run dev)\b/, "every journey starts the product"],
  [/^npm (test|ci)\b|^npm run (check|generate|build|test:\w+)\b/, "they come before the tests, or run them"],
  [/^node scripts\/english\.mjs/, "npm run check runs it, and --lower changes the repository"],
  [/^npm run (-s )?(bench|rehearse:night|screenshots|pictures|look-book)\b/, "they measure and draw for minutes"],
  [/update-downloader$/, "it fetches from the network; downloader.test.ts runs it against a site of its own"],
  [/admin -- restore/, "backup.test.ts restores on another machine, as an installation with people is refused"],
  [/admin -- seed-demo/, "demo.test.ts makes a demo night by it"],
  [/^npm run worker\b/, "away-worker.faults.test.ts starts it with a token of its own"],
  [/^npm run -s pack:(song|contract)\b/, "packed-song.test.ts and packed-contract.test.ts run them"],
  [/^npm run -s sbom\b/, "release-files.test.ts runs it"],
  [/^npm install /, "it asks the registry; packed-contract.test.ts installs the package"],
  [/^curl --http2$/, "it names a kind of request"],
];

/** Commands that run until Ctrl-C, and how long they run after their first output, ms. */
const GOES_ON = /song -- play|examples\//;
const GOES_ON_MS = 1000;
/** Maximum duration of a command, ms, which only a hung one reaches. */
const LONGEST_MS = 240_000;

/** Without ffmpeg such a film is refused with a remedy. */
const BY_FFMPEG = /\.mp4$/;
const NO_FFMPEG = "There is no ffmpeg to make a .mp4 with: install it";
const hasFfmpeg = (await findOnPath("ffmpeg")) !== undefined;

/** Commands that use the product's data, not only the reader's files. */
const OF_PRODUCT = /admin --|curl|FOLLOWSPOT_TOKEN/;

/** An address of the API in a page, alone or after its method. */
const ADDRESS =
  /`(?:(GET|POST)\s+)?(\/(?:health|healthz|metrics|followspot\.[\w./]+|(?:api|ws|lights)\/[\w./{}?=]*\w\}?))`/g;

/** Length of the song, s: the commands of the pages use its second 61. */
const SECONDS = 64;
const WORKSPACE = [{ name: "Front", channels: 1, address: 500, universe: 3 }];

/** The reader's files and IDs, which replace placeholders in the pages; set when the product has started. */
let reader = { folder: "/reader", url: "http://reader", eventId: "E", userId: "U" };

/** Commands to run. An inline command is often the beginning of one in a block, or repeated. */
const COMMANDS = PAGES.flatMap(commandsOf)
  .filter(({ line }) => !NOT_RUN.some(([command]) => command.test(line)))
  .map((command) => ({ ...command, typed: asReaderWould(command.line) }))
  .filter(({ typed }, i, all) =>
    all.every((other, j) => !other.typed.startsWith(`${typed} `) && (other.typed !== typed || j >= i)),
  );
const outcomes = new Map<Command, Promise<string>>();

let product: Product;
/** Within the checkout, where npm finds the commands; it contains the reader's files. */
let folder: string;

beforeAll(async () => {
  await mkdir(join(ROOT, ".cache"), { recursive: true });
  folder = await mkdtemp(join(ROOT, ".cache/documents-"));
  for (const name of ["examples", "scripts"]) await symlink(join(ROOT, name), join(folder, name));
  await mkdir(join(folder, "lamps"));
  await writeFile(join(folder, "lamps/spot.qxf"), SPOT);
  await writeFile(join(folder, "patch.qxw"), workspaceText(WORKSPACE));
  await writeFile(join(folder, "night.mp3"), synthesiseSong(SECONDS, 120));
  product = await startProduct();
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const night = { title: "Friday night", starts_at: at(1), ends_at: at(5) };
  const eventId = (await product.call("event.v1.EventService/CreateEvent", night)).event.id;
  const userId = (await product.call("user.v1.UserService/CreateUser", { name: "Mia", email: "mia@example.org" })).user
    .id;
  const { thread } = await product.call("chat.v1.ChatService/CreateThread", { member_ids: [userId] });
  await product.call("chat.v1.ChatService/SendMessage", { thread_id: thread.id, text: "Hello" });
  await lightPars(product, 8, DISCARD_PORT);
  const headers = { authorization: `Bearer ${await product.token()}` };
  await writeFile(join(folder, "rig.json"), await (await fetch(`${product.url}/api/lights/rig`, { headers })).text());
  reader = { folder, url: product.url, eventId, userId };
  const isOfProduct = ({ line }: Command) => OF_PRODUCT.test(line);
  for (const commands of [COMMANDS.filter((each) => !isOfProduct(each)), COMMANDS.filter(isOfProduct)])
    runInOrder(commands);
});
afterAll(async () => {
  await product?.stop();
  await removeData(product.dataDir);
  await rm(folder, { recursive: true, force: true });
});

test("at least 25 commands of the pages are run", () => {
  expect(COMMANDS.length).toBeGreaterThanOrEqual(25);
});

// Each command has a test, so that a time limit applies to one command and not to all of them.
test.each(COMMANDS.map((command) => [command.line, command] as const))(
  "the pages' command runs: %s",
  async (_, command) => {
    expect(await outcomes.get(command)).toBe("succeeded");
  },
);

test("every address of the API in the pages is served", async () => {
  const calls = ((await (await fetch(`${product.url}/api/openapi.json`)).json()) as { paths: object }).paths;
  const headers = { authorization: `Bearer ${await product.token()}` };
  const named = PAGES.flatMap((page) =>
    [...textOf(page).matchAll(ADDRESS)].map(([, method = "GET", path = ""]) => ({ page, method, path })),
  );
  const isServed = async ({ method, path }: (typeof named)[number]) => {
    if (path.startsWith("/followspot.")) return path in calls;
    if (/^\/(ws|lights)\//.test(path)) return opens(path.replace("{song}", "any"));
    const answer = await fetch(product.url + path, { method, headers });
    // `not_found` means that only the row is missing.
    return answer.status !== 404 || ((await answer.json()) as { code?: string }).code === "not_found";
  };
  const missing = [];
  for (const each of named) if (!(await isServed(each))) missing.push(`${each.page}: ${each.method} ${each.path}`);
  expect(missing).toEqual([]);
  expect(named.length).toBeGreaterThan(15);
});

/** Whether a WebSocket can be opened; authentication only follows with its first message. */
function opens(path: string): Promise<boolean> {
  const socket = new WebSocket(`${product.url.replace("http", "ws")}${path}`);
  return new Promise<boolean>((resolve) => {
    socket.onopen = () => resolve(true);
    socket.onerror = () => resolve(false);
  }).finally(() => socket.close());
}

/** Starts commands one after the other; `outcomes` has the outcome of each. */
function runInOrder(commands: readonly Command[]): void {
  let last: Promise<unknown> = Promise.resolve();
  for (const command of commands) {
    const outcome = last.then(() => outcomeOf(command));
    outcomes.set(command, outcome);
    last = outcome;
  }
}

/** Runs a command. @returns "succeeded", or where it stands and the end of its output */
async function outcomeOf({ at, line }: Command): Promise<string> {
  const { isDone, said } = await run(asReaderWould(line), GOES_ON.test(line));
  const isRefused = !hasFfmpeg && BY_FFMPEG.test(line) && said.includes(NO_FFMPEG);
  return isDone || isRefused ? "succeeded" : `${at}: ${said.slice(-300)}`;
}

/** Replaces the placeholders in a command by the reader's own files. */
function asReaderWould(line: string): string {
  const { folder, url, eventId, userId } = reader;
  const words = [
    [/\/backups\/\S+/, `${folder}/backups/one`],
    ["http://localhost:3000", url],
    [/(?= (node|python3?) .*examples)/, ` FOLLOWSPOT_URL=${url}`],
    ["01KAR….frames.gz", "show.frames.gz"],
    ["PLAN HYBRID", "lighting.json hybrid.json"],
    ["analyse FILE", "analyse night.mp3"],
    ["import-patch FILE", "import-patch patch.qxw"],
    ["import-fixtures FOLDER", "import-fixtures lamps"],
    [" EVENT", ` ${eventId}`],
    [/ ID$/, ` ${userId}`],
    ["FOLDER", join(folder, "packed")],
    ["npm run site", `npm run site -- --out ${folder}/site`],
    // Sends to no fixture.
    [/10\.0\.0\.7/g, "127.0.0.1"],
    // The same film at a small size.
    [/song -- film(?= )/, "song -- film --look flat --size 320x180 --fps 2"],
  ] as const;
  return words.reduce((text, [word, own]) => text.replace(word, own), line);
}

/** Runs a command in a shell. @returns its output, and whether it succeeded; Ctrl-C ends one that keeps running */
async function run(line: string, goesOn: boolean): Promise<{ isDone: boolean; said: string }> {
  const env = { ...process.env, FOLLOWSPOT_DATA_DIR: product.dataDir, TOKEN: await product.token() };
  const shell = spawn("bash", ["-c", line], { cwd: folder, env, detached: true });
  let said = "";
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    process.kill(-shell.pid!, "SIGINT");
  };
  const hear = (chunk: Buffer) => {
    if (goesOn && said === "") setTimeout(stop, GOES_ON_MS);
    said += chunk.toString();
  };
  for (const stream of [shell.stdout, shell.stderr]) stream.on("data", hear);
  const hung = setTimeout(() => process.kill(-shell.pid!, "SIGKILL"), LONGEST_MS);
  const [code] = (await once(shell, "close")) as [number | null];
  clearTimeout(hung);
  return { isDone: code === 0 || isStopped, said };
}
