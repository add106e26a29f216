// The page docs/guide/kept.md, from tags above the tests that hold an old fault off:
//   // kept: AREA | what used to go wrong | SIGN
// A tag may take several lines, stands right above its test or group of tests, and ends with its sign (SIGNS).
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

export const KEPT_PAGE = "docs/guide/kept.md";

/** The parts of the page, in its order. */
const AREAS = ["Doors", "Changes", "Lists", "Live", "Stage and lamps", "Songs and jobs", "Console", "Shows"];

/** Words that end a tag → the sign of its row. `also` adds a test to the row of another one. */
const SIGNS = { "failed on the old code": "✓", "failed with the fault put back": "↩", also: undefined };

/** The page below its own head, and a sentence for each tag that no row can be made of. */
export function writeKept(root) {
  const [head] = readFileSync(join(root, KEPT_PAGE), "utf8").split(/^(?=## )/m);
  const read = ["apps", "packages", "bench", "e2e", "scripts"]
    .flatMap((folder) => testsBelow(join(root, folder)))
    .sort();
  const files = read.map((path) => keptIn(relative(root, path).replaceAll(sep, "/"), readFileSync(path, "utf8")));
  const tags = files.flatMap((each) => each.tags);
  const further = (tag) => tag.sign === "also";
  const rows = new Map();
  for (const tag of [...tags.filter((each) => !further(each)), ...tags.filter(further)]) {
    const name = `${tag.area} | ${tag.fault}`;
    rows.set(name, [...(rows.get(name) ?? []), tag]);
  }
  const unclear = [...rows].flatMap(([name, tests]) => {
    const first = tests.filter((each) => !further(each)).length;
    return first === 1 ? [] : [`${tests[0].file}: ${first} tests are the first of "${name}", and one must be`];
  });
  const parts = AREAS.map((area) => {
    const lines = [...rows.values()].filter(([{ area: its }]) => its === area).map(rowOf);
    return [`## ${area}`, "", "| what used to go wrong | what holds it off |", "|---|---|", ...lines, ""].join("\n");
  });
  return {
    page: head + parts.join("\n"),
    rows: rows.size,
    problems: [...files.flatMap((each) => each.problems), ...unclear],
  };
}

function rowOf(tests) {
  const [{ sign, fault }] = tests;
  const cell = (text) => text.replaceAll("|", "\\|");
  return `| ${SIGNS[sign]} ${cell(fault)} | ${tests.map((test) => `\`${test.file}\`: ${cell(test.title)}`).join("<br>")} |`;
}

/** The tags of one test file with the titles below them, and what is wrong with the others. */
export function keptIn(file, source) {
  const lines = source.split("\n");
  const tags = [];
  const problems = [];
  for (let at = 0; at < lines.length; at++) {
    if (!/^\s*\/\/ kept:/.test(lines[at])) continue;
    const where = `${file}:${at + 1}`;
    let text = "";
    let end = at;
    while (/^\s*\/\/ /.test(lines[end] ?? "") && !endsTag(text)) text += `${lines[end++].replace(/^\s*\/\/ /, "")} `;
    const [area, ...more] = text.replace("kept:", "").trim().split(" | ");
    const sign = more.pop();
    const fault = more.join(" | ");
    const title = titleBelow(lines, end);
    if (!endsTag(text)) problems.push(`${where}: a tag ends with one of: ${Object.keys(SIGNS).join(", ")}`);
    else if (!AREAS.includes(area) || fault === "")
      problems.push(`${where}: a tag begins with one of: ${AREAS.join(", ")}`);
    else if (!title) problems.push(`${where}: no test that is run stands right below this tag`);
    else tags.push({ file, area, fault, sign, title });
  }
  return { tags, problems };
}

const endsTag = (text) => Object.keys(SIGNS).some((sign) => text.trim().endsWith(`| ${sign}`));

/** The title of the test that begins at a line, below other tags, with the groups it stands in; undefined where none begins. */
function titleBelow(lines, at) {
  let start = at;
  while (/^\s*\/\/ /.test(lines[start] ?? "")) start++;
  const own = titleAt(lines, start);
  if (own === undefined) return undefined;
  const groups = [];
  let depth = indent(lines[start]);
  for (let above = start - 1; above >= 0 && depth > 0; above--) {
    // Lines of long texts, such as scripts, may stand further left than the block they are in.
    if (!/^\s*(?:describe\b|for \(|if \()/.test(lines[above]) || indent(lines[above]) >= depth) continue;
    depth = indent(lines[above]);
    const group = titleAt(lines, above);
    if (group !== undefined) groups.unshift(group);
  }
  return [...groups, own].join(" > ");
}

const indent = (line) => line.length - line.trimStart().length;

/** The title of the test or group whose call begins on this line: the text that the first of its argument lists begins with. */
function titleAt(lines, start) {
  const call = /^\s*(?:test|it|describe)\b((?:\.\w+)*)/.exec(lines[start] ?? "");
  if (!call || /\.(skip|todo)\b/.test(call[1])) return undefined;
  const text = lines.slice(start, start + 200).join("\n");
  let at = call[0].length;
  while (at < text.length) {
    const open = text.indexOf("(", at);
    if (open < 0) return undefined;
    const title = /^\(\s*(["`])((?:\\.|(?!\1)[^\\])*)\1/.exec(text.slice(open));
    if (title) return title[2].replaceAll('\\"', '"');
    at = closing(text, open) + 1;
  }
  return undefined;
}

/** Where the bracket that opens at a place closes; brackets in texts and comments do not count. */
function closing(text, open) {
  let depth = 0;
  let quote = "";
  for (let at = open; at < text.length; at++) {
    const letter = text[at];
    if (letter === "\\") at++;
    else if (quote) quote = letter === quote ? "" : quote;
    else if (`"'\``.includes(letter)) quote = letter;
    else if (text.startsWith("//", at)) at = text.indexOf("\n", at);
    else if ("([{".includes(letter)) depth++;
    else if (")]}".includes(letter) && --depth === 0) return at;
  }
  return text.length;
}

function testsBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" || entry.name === "dist" ? [] : testsBelow(path);
    return /\.test\.tsx?$/.test(entry.name) ? [path] : [];
  });
}
