// Bundles the server's programs into apps/server/dist: a process then loads a few files instead of up to 1,600 modules, which
// took most of the processor time of a start. Runs on Node 24.
import { globSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const SERVER = resolve(fileURLToPath(import.meta.url), "../../apps/server");
const OUT = join(SERVER, "dist");

/** Everything that runs as a process or thread. Their file names differ, since the bundles are in one folder. */
const PROGRAMS = globSync("src/{main*,cli/{admin,song},**/*-{child,thread}}.ts", { cwd: SERVER })
  .filter((file) => !file.endsWith(".test.ts"))
  .map((file) => join(SERVER, file));

/** Packages with files beside their code. */
const NOT_BUNDLED = /^(sharp|pino|@echogarden\/pffft-wasm|@sparticuz\/chromium|@serialport\/bindings-cpp)(\/|$)/;

/** Replaces `import.meta` of modules by the address of their source file, and addresses of programs by those of their bundles. */
const addresses = {
  name: "addresses",
  transform: {
    filter: { code: "import.meta." },
    handler(code, id) {
      const here = 'import.meta["url"]';
      const path = (to) => `process.getBuiltinModule("node:path").join(import.meta["dirname"], ${fromOut(to)})`;
      return code
        .replaceAll(/new URL\(\s*"(\.[^"]+\.ts)",\s*import\.meta\.url,?\s*\)/g, (found, file) => {
          const program = resolve(dirname(id), file);
          return PROGRAMS.includes(program) ? `new URL("./${basename(program, ".ts")}.js", ${here})` : found;
        })
        .replaceAll("import.meta.url", `new URL(${fromOut(id)}, ${here}).href`)
        .replaceAll("import.meta.dirname", path(dirname(id)))
        .replaceAll("import.meta.filename", path(id));
    },
  },
};

/** Returns a path relative to the folder of the bundles, as a string literal. */
const fromOut = (file) => JSON.stringify(`./${relative(OUT, file)}`);

await rm(OUT, { recursive: true, force: true });
const bundle = await rolldown({
  input: Object.fromEntries(PROGRAMS.map((program) => [basename(program, ".ts"), program])),
  platform: "node",
  external: NOT_BUNDLED,
  plugins: [addresses],
});
await bundle.write({ dir: OUT, format: "esm", chunkFileNames: "chunk-[name]-[hash].js" });
await bundle.close();
