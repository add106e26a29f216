// Vite plugin of the server's tests: processes and threads that the code under test starts run from their bundles, as in the
// product. From their sources, each start loads up to hundreds of modules, which takes several times as long.
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { isBuilt } from "../house.mjs";
import { BUNDLES, replaceAddresses } from "../server-programs.mjs";

/** The sources are used if the bundles are outdated, as in a run of single files after an edit. */
export const bundledPrograms = () =>
  isBuilt("server") && {
    name: "bundled-programs",
    enforce: "pre",
    transform: {
      filter: { id: /\/apps\/server\/src\//, code: "import.meta.url" },
      handler: (code, id) => ({ code: replaceAddresses(code, id, addressOfBundle), map: null }),
    },
  };

const addressOfBundle = (program) =>
  `new URL(${JSON.stringify(pathToFileURL(join(BUNDLES, `${basename(program, ".ts")}.js`)).href)})`;
