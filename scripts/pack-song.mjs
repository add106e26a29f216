// npm run pack:song [FOLDER]: the song verbs as a package of their own, `followspot-song`, with our packages and the programs
// they start inside. Prints the path of the tarball.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { readOptions } from "../apps/server/src/platform/process/program-options.mjs";
import { ensureInstalled, fail, ROOT, run } from "./house.mjs";

const SERVER = "apps/server/src";
const OWN = ["analysis", "contract", "lighting"];
/** What the verbs start as a process or thread of its own is named by a text, which the compiler does not follow. */
const STARTED = [
  "songs/audio/decode-audio-child",
  "songs/audio/encode-mp3-child",
  "songs/audio/engines/beat-this-child",
  "songs/audio/engines/run-engine-child",
  "stage/outputs/output-thread",
  "stage/outputs/usb-child",
];
/** Packed by no package manager here: without it films are drawn by a Chromium of the machine, or flat. */
const LEFT_OUT = ["@sparticuz/chromium"];
const OPTIONAL = ["@serialport/bindings-cpp"];

/** Runs on any Node, to say which one it takes. */
const START = `#!/usr/bin/env node
if (Number(process.versions.node.split(".")[0]) < 24) {
  process.stderr.write(\`followspot-song needs Node 24 or newer; this is Node \${process.versions.node}.\\n\`);
  process.exit(1);
}
await import("./${SERVER}/cli/song.js");
`;

const { positional: folder = "." } = readOptions("pack:song");
await ensureInstalled();
const target = resolve(process.env.INIT_CWD ?? process.cwd(), folder);
const scratch = mkdtempSync(join(tmpdir(), "followspot-song-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
const modules = join(scratch, "node_modules/@followspot");

await compile();
const names = readdirSync(scratch, { recursive: true }).filter((name) => name.endsWith(".js"));
const texts = new Map(names.map((name) => [name, readFileSync(join(scratch, name), "utf8")]));
for (const [name, text] of texts) writeFileSync(join(scratch, name), nameWhatIsHere(name, text));
mkdirSync(modules, { recursive: true });
for (const name of OWN) bring(name);
bringDecoders();
writeManifest();
for (const name of ["LICENSE", "NOTICE"]) cpSync(join(ROOT, name), join(scratch, name));
mkdirSync(target, { recursive: true });
const pack = ["npm", "pack", "--silent", "--pack-destination", target];
if ((await run(pack, { cwd: scratch, stdio: ["ignore", "ignore", "inherit"] })) !== 0)
  fail("npm could not pack the song verbs.", "See its message above.");
console.log(join(target, `followspot-song-${manifestOf(".").version}.tgz`));

/** Every file the verbs need, as JavaScript and where it was. */
async function compile() {
  const files = ["cli/song", ...STARTED].map((name) => join(ROOT, SERVER, `${name}.ts`));
  const compilerOptions = {
    noEmit: false,
    rewriteRelativeImportExtensions: true,
    rootDir: ROOT,
    outDir: scratch,
    typeRoots: [join(ROOT, "node_modules/@types")],
    // Our packages are compiled along in place of being looked up.
    paths: Object.fromEntries(
      OWN.flatMap((name) => exportsOf(name).map(([entry, path]) => [entry, [join(ROOT, "packages", name, path)]])),
    ),
  };
  const config = join(scratch, "tsconfig.json");
  writeFileSync(
    config,
    JSON.stringify({ extends: join(ROOT, "apps/server/tsconfig.json"), compilerOptions, include: [], files }),
  );
  if ((await run([join(ROOT, "node_modules/.bin/tsc"), "-p", config])) !== 0)
    fail("The song verbs could not be compiled.", "See the message above.");
  rmSync(config);
}

/** What is started is JavaScript here, and the command has another name. */
function nameWhatIsHere(name, text) {
  const isThere = (path) => existsSync(join(scratch, dirname(name), path));
  const started = text.replaceAll(/"(\.{1,2}\/[^"]+)\.ts"/g, (_, path) => {
    if (!isThere(`${path}.js`))
      fail(`${name} starts ${path}.ts, which is not packed.`, "Name it in scripts/pack-song.mjs.");
    return `"${path}.js"`;
  });
  if (!name.includes("/cli/")) return started;
  return started.replaceAll("npm run -s song -- ", "followspot-song ").replaceAll("song -- ", "followspot-song ");
}

function bring(name) {
  renameSync(join(scratch, "packages", name), join(modules, name));
  const entries = exportsOf(name).filter(([, path]) => existsSync(join(modules, name, built(path))));
  const exports = entries.map(([entry, path]) => [entry.replace(`@followspot/${name}`, "."), built(path)]);
  const { version, license } = manifestOf(`packages/${name}`);
  const manifest = {
    name: `@followspot/${name}`,
    version,
    license,
    type: "module",
    exports: Object.fromEntries(exports),
  };
  writeFileSync(join(modules, name, "package.json"), JSON.stringify(manifest, null, 2));
}

/** A program under the GPL, with its licence beside it; it is started and linked by nothing. */
function bringDecoders() {
  const folder = join(ROOT, "programs/gpl-decoders");
  cpSync(folder, join(modules, "gpl-decoders"), { recursive: true, filter: (path) => !path.endsWith("node_modules") });
}

function writeManifest() {
  const { version } = manifestOf("apps/server");
  const decoders = manifestOf("programs/gpl-decoders").dependencies;
  const makers = ["apps/server", "programs/gpl-decoders", ...OWN.map((name) => `packages/${name}`)].map(manifestOf);
  const known = Object.assign({}, ...makers.flatMap((each) => [each.dependencies, each.optionalDependencies]));
  const imported = [...texts.values()].flatMap((text) =>
    [...text.matchAll(/(?:from |import\(|import )"((?:@[\w.-]+\/)?\w[\w.-]*)(?:\/[^"]*)?"/g)].map(([, name]) => name),
  );
  const wanted = [...new Set([...imported, ...Object.keys(decoders)])]
    .filter((name) => !name.startsWith("@followspot/") && !LEFT_OUT.includes(name))
    .sort();
  const unknown = wanted.filter((name) => known[name] === undefined);
  if (unknown.length > 0)
    fail(`Nothing says which version of ${unknown.join(", ")} is wanted.`, "Name it in a package.json.");
  const pick = (choose) => Object.fromEntries(wanted.filter(choose).map((name) => [name, known[name]]));
  const bundled = [...OWN, "gpl-decoders"].map((name) => `@followspot/${name}`);
  const manifest = {
    name: "followspot-song",
    version,
    description: "Hears songs and plans light shows from them: the song verbs of Followspot",
    license: "Apache-2.0 AND GPL-2.0-or-later",
    type: "module",
    engines: { node: ">=24" },
    bin: { "followspot-song": "song.js" },
    files: ["song.js", "apps", "NOTICE"],
    dependencies: {
      ...pick((name) => !OPTIONAL.includes(name)),
      ...Object.fromEntries(bundled.map((name) => [name, version])),
    },
    optionalDependencies: pick((name) => OPTIONAL.includes(name)),
    bundleDependencies: bundled,
  };
  writeFileSync(join(scratch, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(scratch, "song.js"), START);
}

/** Entries of one of our packages that are TypeScript, by what they are imported as. */
function exportsOf(name) {
  const entries = Object.entries(manifestOf(`packages/${name}`).exports);
  return entries
    .filter(([, path]) => String(path).endsWith(".ts"))
    .map(([entry, path]) => [entry.replace(".", `@followspot/${name}`), path]);
}

function built(path) {
  return path.replace(/\.ts$/, ".js");
}

function manifestOf(workspace) {
  return JSON.parse(readFileSync(join(ROOT, workspace, "package.json"), "utf8"));
}
