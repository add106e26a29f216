// Holds comments, test titles, screen texts, pages and identifiers against the word list of docs/style.md. What the rules found
// when they were introduced is counted in english-baseline.json; the check fails if an area has more than that.
//   node scripts/english.mjs            the check
//   node scripts/english.mjs --lower    lowers the baseline to today's counts
//   node scripts/english.mjs WORD       prints each place that breaks the rule of this name
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BASELINE = join(ROOT, "scripts/english-baseline.json");
const FOLDERS = ["apps", "packages", "programs", "bench", "docs", "e2e", "examples", "scripts", "training"];
const IS_READ = /\.(ts|tsx|mjs|md|proto)$/;
/** Generated code, the rules and their page, pages generated from other texts, and quoted texts of other programs. */
const IS_LEFT_OUT =
  /(^|\/)(gen|node_modules|dist)\/|^scripts\/english|^docs\/style\.md$|^docs\/guide\/kept\.md$|^NOTICE$/;

const word = (...words) => new RegExp(`\\b(?:${words.join("|")})\\b`, "gi");
const part = (...words) => {
  const capital = words.map((each) => each[0].toUpperCase() + each.slice(1));
  return new RegExp(`(?<![A-Za-z])(?:${words.join("|")})[A-Z]\\w*|\\b[a-z]\\w*(?:${capital.join("|")})(?![a-z])`, "g");
};

/** Rule → what it looks for, in `text` (comments, titles, pages, strings) or `code` (identifiers). `use` is printed. */
export const RULES = {
  // The system's user nobody is a name.
  nobody: {
    in: "text",
    pattern: /(?<!user |for )\b(?:nobody|somebody|whoever)\b(?! can get)/gi,
    use: "the role: no one, a user, the operator",
  },
  anew: { in: "text", pattern: word("anew", "all the same", "for ever", "for good"), use: "again, anyway, forever" },
  "is-told": {
    in: "text",
    pattern: word("is told", "are told", "was told", "untold"),
    use: "is notified, is published",
  },
  "is-heard": {
    in: "text",
    pattern: word("is heard", "are heard", "was heard"),
    use: "is detected, is the active player",
  },
  "gives-up": { in: "text", pattern: word("gives? up", "given up", "falls? silent"), use: "times out, stops retrying" },
  "of-its-own": { in: "text", pattern: word("by itself alone", "of one's own", "so long as"), use: "its own, while" },
  "says-nothing": { in: "text", pattern: word("says nothing", "said so", "say so"), use: "reports, logs, responds" },
  "sign-of-life": { in: "text", pattern: word("sign of life", "signs of life"), use: "heartbeat" },
  // `<Colour>` is an element of QXF files.
  british: { in: "text", pattern: word("(?<!</?)colours?", "coloured", "organise[sd]?", "licences?", "behaviours?", "cancelled"), use: "American spelling" }, // prettier-ignore
  told: { in: "code", pattern: part("told", "untold"), use: "published, notified, sent" },
  heard: { in: "code", pattern: part("heard"), use: "detected, active" },
  kept: { in: "code", pattern: part("kept"), use: "stored, cached, retained" },
};

/** Openings of commit subjects that do not name the change. */
const VAGUE = /^(Say|Let|Tell|Take|Call|Leave|Know|Hear|Give|Note|What|Who|Where|How)\b/;
const MAX_SUBJECT = 72;
const FIRST_CHECKED = "cc5875165e78";

/** Each place that breaks a rule. */
export function readPlaces(files = ourFiles()) {
  return files.flatMap((file) => {
    const { text, code } = partsOf(file, readFileSync(join(ROOT, file), "utf8"));
    return Object.entries(RULES).flatMap(([rule, { in: where, pattern }]) =>
      (where === "text" ? text : code).flatMap(([line, words]) =>
        [...words.matchAll(pattern)].map(([found]) => ({ rule, area: areaOf(file), at: `${file}:${line}`, found })),
      ),
    );
  });
}

/** Lines of a file as prose (comments, titles, strings, pages) and as code. */
export function partsOf(file, source) {
  const lines = source.split("\n").map((line, i) => [i + 1, line]);
  if (file.endsWith(".md")) return { text: lines, code: [] };
  const prose = /(?:^\s*|\s)(?:\/\/|\/\*\*?|\*)\s.*$|"(?:[^"\\]|\\.)* (?:[^"\\]|\\.)*"|`[^`]* [^`]*`/g;
  return {
    text: lines.map(([at, line]) => [at, [...line.matchAll(prose)].map(([found]) => found).join(" ")]),
    code: lines.map(([at, line]) => [at, line.replaceAll(prose, " ")]),
  };
}

/** What is wrong with the subject of a commit; undefined if nothing is. */
export function subjectFault(subject) {
  if (VAGUE.test(subject)) return "does not begin with what changed, such as Add, Fix, Remove or Rename";
  return subject.length > MAX_SUBJECT
    ? `has ${subject.length} characters; at most ${MAX_SUBJECT} are read whole`
    : undefined;
}

const areaOf = (file) => (/^(apps|packages)\//.test(file) ? file.split("/").slice(0, 2).join("/") : file.split("/")[0]);

/** Read from the disk, so that a checkout without git is held as well. */
function ourFiles() {
  const below = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((name) => `${folder}/${name.split(sep).join("/")}`),
  );
  const atRoot = readdirSync(ROOT).filter((name) => IS_READ.test(name));
  return [...below, ...atRoot].filter((name) => IS_READ.test(name) && !IS_LEFT_OUT.test(name));
}

function countsOf(places) {
  const counts = {};
  for (const { rule, area } of places) {
    counts[area] ??= {};
    counts[area][rule] = (counts[area][rule] ?? 0) + 1;
  }
  return counts;
}

function main([argument]) {
  const places = readPlaces();
  if (argument in RULES) {
    for (const { at, found } of places.filter(({ rule }) => rule === argument)) console.log(`${at}: ${found}`);
    return 0;
  }
  const counts = countsOf(places);
  if (argument === "--lower") {
    const sorted = Object.fromEntries(Object.entries(counts).toSorted(([a], [b]) => a.localeCompare(b)));
    writeFileSync(BASELINE, `${JSON.stringify(sorted, undefined, 2)}\n`);
    return 0;
  }
  const allowed = JSON.parse(readFileSync(BASELINE, "utf8"));
  const changed = git("diff", "--name-only", "HEAD~1");
  let faults = 0;
  for (const [area, rules] of Object.entries(counts)) {
    for (const [rule, count] of Object.entries(rules)) {
      const most = allowed[area]?.[rule] ?? 0;
      if (count <= most) continue;
      faults++;
      console.error(`${area}: ${count} places break "${rule}", ${most} are allowed. Use: ${RULES[rule].use}.`);
      const here = places.filter((place) => place.rule === rule && place.area === area);
      const recent = here.filter(({ at }) => changed.includes(at.split(":")[0]));
      for (const { at, found } of (recent.length > 0 ? recent : here).slice(0, 20)) console.error(`  ${at}: ${found}`);
    }
  }
  // The history before this commit is in the old style.
  for (const subject of git("log", "--no-merges", "--format=%s", `${FIRST_CHECKED}..HEAD`)) {
    const fault = subjectFault(subject);
    if (!fault) continue;
    faults++;
    console.error(`The commit "${subject}" ${fault}.`);
  }
  return faults > 0 ? 1 : 0;
}

/** Lines that git prints; none outside a checkout, or if it does not know a commit. */
function git(...words) {
  try {
    const printed = execFileSync("git", words, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return printed.split("\n").filter(Boolean);
  } catch {
    return [];
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2));
