// How long each test file took: for the order of files, longest first, and for the time left.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../house.mjs";

/** Of the last runs on this machine. */
const MEASURED = join(ROOT, ".cache/test-times.json");
/** Of one run at rest, for a new checkout: files of at least {@link LONG_SECONDS}. `npm test -- --record-times` writes it. */
const RECORDED = join(ROOT, "scripts/test-run/test-times.json");
const LONG_SECONDS = 2;

/** Path of a test file → seconds it took last. */
export function secondsOfFiles() {
  return new Map([RECORDED, MEASURED].flatMap((file) => Object.entries(readTimes(file))));
}

/** Stores the times of a run; those of files that did not run stay. */
export function rememberTimes(files) {
  const ours = files.filter(({ path }) => !path.startsWith(".."));
  const times = Object.fromEntries(ours.map(({ path, seconds }) => [path, Math.round(seconds * 10) / 10]));
  mkdirSync(dirname(MEASURED), { recursive: true });
  writeFileSync(MEASURED, JSON.stringify({ ...readTimes(MEASURED), ...times }));
}

/** Writes the times of this machine's last runs into the repository. */
export function recordTimes() {
  const long = Object.entries(readTimes(MEASURED)).filter(
    ([path, s]) => s >= LONG_SECONDS && existsSync(join(ROOT, path)),
  );
  const lines = long
    .toSorted(([, a], [, b]) => b - a)
    .map(([path, s]) => `  ${JSON.stringify(path)}: ${Math.round(s)}`);
  writeFileSync(RECORDED, `{\n${lines.join(",\n")}\n}\n`);
}

function readTimes(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {}; // none were measured yet, or a run was killed while it wrote them
  }
}

/** '2:05': minutes and seconds. */
export function clock(seconds) {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
