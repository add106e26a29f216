// What start, test and check share. Plain Node >= 20, no dependency: it runs before anything is installed.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = resolve(fileURLToPath(import.meta.url), "../..");
const CACHE = join(ROOT, ".cache");
const platform = `${process.platform}-${process.arch}`;

// Whatever a script starts finds its code compiled from the second time on: a command begins in half the time.
process.env.NODE_COMPILE_CACHE ??= join(CACHE, "compiled");

/** How often a script looks whether npm's shell is still there, ms. */
const LOOK_MS = 250;

// npm starts scripts in a shell. A signal to npm reaches only that shell, whose end would leave the script running.
if (process.env.npm_lifecycle_event) {
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, LOOK_MS).unref();
}

/** Node 24 from the platform package; whatever the machine has only starts this script. */
export function node24() {
  for (const name of [`node-${platform}`, `node-bin-${platform}`]) {
    const own = join(ROOT, "node_modules", name, "bin", "node");
    if (existsSync(own)) return own;
  }
  if (Number(process.versions.node.split(".")[0]) >= 24) return process.execPath;
  fail(`There is no Node 24 package for ${platform}.`, "Install Node 24 yourself and run the command again.");
}

/** Installs what package-lock.json says unless that was done before. */
export async function ensureInstalled() {
  const wanted = createHash("sha256")
    .update(readFileSync(join(ROOT, "package-lock.json")))
    .digest("hex");
  const marker = join(ROOT, "node_modules", ".followspot-installed");
  if (existsSync(marker) && readFileSync(marker, "utf8") === wanted) return;
  // Tests run on the packages: to install others under them would break every one.
  if (process.env.VITEST)
    fail("The packages are not those of package-lock.json.", "Run npm run build, then the tests again.");
  say("Installing packages (first start only)…");
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ["npm"];
  const command = [...npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  // stdout and stdin belong to the program that is started afterwards: `song` prints JSON and may read it.
  const code = await run(command, { stdio: ["ignore", process.stderr, process.stderr] });
  if (code !== 0) {
    fail(
      "npm could not install the packages.",
      "See its message above; a network that reaches the npm registry is needed once.",
    );
  }
  writeFileSync(marker, wanted);
}

/** The builds: a file that exists once it was made, the sources it depends on, the folder of the command, and the command. */
const BUILDS = {
  console: {
    file: "apps/console/dist/index.html",
    sources: [
      "apps/console",
      "packages/contract/src",
      "packages/lighting/src",
      "packages/playing/src",
      "packages/analysis/src/correct",
      "packages/analysis/src/basics",
      "packages/analysis/src/pulse/tempo.ts",
      "package-lock.json",
    ],
    cwd: "apps/console",
    command: ["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"],
  },
  server: {
    file: "apps/server/dist/main.js",
    sources: [
      "apps/server/src",
      "packages",
      "programs",
      "package-lock.json",
      "scripts/bundle-server.mjs",
      "scripts/server-programs.mjs",
    ],
    cwd: ".",
    command: ["scripts/bundle-server.mjs"],
  },
};

/** Names of files and folders that no build reads: an edited test does not make a build necessary. */
const NOT_BUILT = /^(dist|node_modules)$|\.test\.tsx?$/;

/** Builds the console, or bundles the server's programs, if their sources changed since the last build. */
export async function ensureBuilt(name) {
  const { sources, cwd, command } = BUILDS[name];
  const wanted = hashOf(sources);
  if (isBuilt(name, wanted)) return;
  say(`Building the ${name}…`);
  const [script, ...args] = command;
  if ((await run([node24(), join(ROOT, script), ...args], { cwd: join(ROOT, cwd) })) !== 0)
    fail(`The ${name} could not be built.`, "See the message above.");
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(markerOf(name), wanted);
}

/** Whether a build exists and its sources have not changed since. */
export function isBuilt(name, wanted = hashOf(BUILDS[name].sources)) {
  const marker = markerOf(name);
  return existsSync(join(ROOT, BUILDS[name].file)) && existsSync(marker) && readFileSync(marker, "utf8") === wanted;
}

const markerOf = (name) => join(CACHE, `${name}-build`);

function hashOf(sources) {
  const hash = createHash("sha256");
  for (const source of sources) addToHash(hash, join(ROOT, source));
  return hash.digest("hex");
}

/** Runs a command with our output; resolves to its exit code. Signals reach it. */
export function run([command, ...args], options = {}) {
  return new Promise((resolveCode) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: "inherit", ...options });
    const pass = (signal) => child.kill(signal);
    // A terminal sends Ctrl-C to the child as well; this process only waits for it.
    const wait = () => {};
    process.on("SIGTERM", pass).on("SIGHUP", pass).on("SIGINT", wait);
    child.on("error", (error) => {
      say(`${command}: ${error.message}`);
      resolveCode(127);
    });
    child.on("exit", (code, signal) => {
      process.off("SIGTERM", pass).off("SIGHUP", pass).off("SIGINT", wait);
      resolveCode(code ?? (signal ? 1 : 0));
    });
  });
}

export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Ends with one message: what is wrong, and what to do. */
export function fail(what, fix) {
  say(`\n${what}\n${fix}`);
  process.exit(1);
}

function addToHash(hash, path) {
  if (!existsSync(path)) return;
  if (statSync(path).isFile()) {
    hash.update(path).update(readFileSync(path));
    return;
  }
  for (const name of readdirSync(path).sort()) {
    if (!NOT_BUILT.test(name)) addToHash(hash, join(path, name));
  }
}
