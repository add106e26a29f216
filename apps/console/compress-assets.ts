import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const TEXTS = /\.(?:js|css|svg|html|json)$/;
/** Smaller files travel in one packet as they are. */
const LEAST_BYTES = 1024;

const br = promisify(brotliCompress);
const gz = promisify(gzip);

/** Writes a `.br` and a `.gz` beside each text of a build, as small as they get: the server only picks one. */
export function compressAssets(): Plugin {
  let folder = "dist";
  return {
    name: "followspot:compress-assets",
    apply: "build",
    configResolved: ({ build }) => void (folder = build.outDir),
    writeBundle: {
      sequential: true,
      async handler() {
        const files = await readdir(folder, { recursive: true });
        await Promise.all(files.filter((file) => TEXTS.test(file)).map((file) => compress(join(folder, file))));
      },
    },
  };
}

async function compress(path: string): Promise<void> {
  const text = await readFile(path);
  if (text.length < LEAST_BYTES) return;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
  await Promise.all([
    br(text, { params }).then((small) => writeFile(`${path}.br`, small)),
    gz(text, { level: constants.Z_BEST_COMPRESSION }).then((small) => writeFile(`${path}.gz`, small)),
  ]);
}
