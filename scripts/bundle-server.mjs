// Bundles the server's programs into apps/server/dist: a process then loads a few files instead of up to 1,600 modules, which
// took most of the processor time of a start. Runs on Node 24.
import { rename, rm } from "node:fs/promises";
import { basename, dirname, relative } from "node:path";
import { rolldown } from "rolldown";
import { BUNDLES, PROGRAMS, replaceAddresses } from "./server-programs.mjs";

/** The build's own folder, which replaces the earlier bundles once it is complete: a product may be running from those. */
const OUT = `${BUNDLES}-${process.pid}`;

/** Packages that read files of their folder at runtime. */
const NOT_BUNDLED = /^(sharp|pino|@echogarden\/pffft-wasm|@sparticuz\/chromium|@serialport\/bindings-cpp)(\/|$)/;

/**
 * Rollup plugin. In each module it replaces `import.meta` by the address of the module's source file, relative to the bundle, and
 * `new URL("./PROGRAM.ts", import.meta.url)` by the address of that program's bundle.
 */
const addresses = {
  name: "addresses",
  transform: {
    filter: { code: "import.meta." },
    handler(code, id) {
      const here = 'import.meta["url"]';
      const path = (to) => `process.getBuiltinModule("node:path").join(import.meta["dirname"], ${fromOut(to)})`;
      return replaceAddresses(code, id, (program) => `new URL("./${basename(program, ".ts")}.js", ${here})`)
        .replaceAll("import.meta.url", `new URL(${fromOut(id)}, ${here}).href`)
        .replaceAll("import.meta.dirname", path(dirname(id)))
        .replaceAll("import.meta.filename", path(id));
    },
  },
};

/** Returns a path relative to the folder of the bundles, as a string literal. */
const fromOut = (file) => JSON.stringify(`./${relative(OUT, file)}`);

const bundle = await rolldown({
  input: Object.fromEntries(PROGRAMS.map((program) => [basename(program, ".ts"), program])),
  platform: "node",
  external: NOT_BUNDLED,
  plugins: [addresses],
});
try {
  await bundle.write({ dir: OUT, format: "esm", chunkFileNames: "chunk-[name]-[hash].js" });
  await bundle.close();
  await rm(BUNDLES, { recursive: true, force: true });
  await rename(OUT, BUNDLES);
} finally {
  await rm(OUT, { recursive: true, force: true });
}
