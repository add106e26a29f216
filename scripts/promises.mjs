// Finds promises without a handler in processes that no user watches: the server, and the page of the player at the PA. There
// `void call()` ends the process when the call rejects, or leaves the page in its last state. A voided call is accepted if
// - its chain has a `.catch(…)`, or ends in `.then(…, …)` with both handlers,
// - the function is declared in the same file, and has a `catch` or a comment "Never rejects",
// - it returns no promise, or one that never rejects: see HARMLESS.
// Everything else goes through `inBackground` (platform/process/in-background.ts).
//   node scripts/promises.mjs   the check
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FOLDERS = ["apps/server/src", "apps/console/src/pa-player", "packages", "programs"];
const IS_LEFT_OUT = /\.test\.tsx?$|\/testing\/|\/gen\//;

/** Names of calls that return no promise or one that never rejects, on whatever object. */
const HARMLESS = new Set([
  ...["ack", "nak", "send", "write", "end", "destroy", "resetAndDestroy", "replyError"], // messages, streams and sockets
  ...["push", "pop", "set", "add", "delete"], // collections
  "register", // Fastify reports its failure at the start
  "terminate", // a worker thread
]);

/** Each voided call without a handler: `file:line`, and its text. */
export function findUnhandled(file, source) {
  const code = blankComments(source);
  return [...code.matchAll(/(?<![\w$.])void\s+(?=[\w#$(])/g)].flatMap((match) => {
    const start = match.index + match[0].length;
    const text = expressionAt(code, start);
    if (!text.includes("(") || isHandled(text, code, source)) return [];
    return [{ at: `${file}:${source.slice(0, start).split("\n").length}`, text: text.replace(/\s+/g, " ") }];
  });
}

function isHandled(text, code, source) {
  if (/^\(?\s*await\b/.test(text)) return true;
  const calls = callsOf(text);
  if (calls.length === 0) return true; // such as an assignment in brackets
  const last = calls.at(-1);
  if (calls.some(({ name }) => name === "catch" || name === "allSettled") || (last.name === "then" && last.args > 1))
    return true;
  return HARMLESS.has(last.name) || (calls.length === 1 && handlesItself(last.name, code, source));
}

/** The calls of a chain, each with the name of its function and the number of its arguments. */
function callsOf(text) {
  const calls = [];
  let depth = 0;
  let open = 0;
  let commas = 0;
  for (let at = 0; at < text.length; at++) {
    at = skipText(text, at);
    const letter = text[at];
    if ("([{".includes(letter)) {
      if (depth++ === 0) [open, commas] = [at, 0];
    } else if (")]}".includes(letter)) {
      if (--depth === 0 && letter === ")") {
        const name = /([\w$#]+)[?!]?\.?(?:<[^()]*>)?$/.exec(text.slice(0, open))?.[1];
        if (name) calls.push({ name, args: /^\s*,?\s*$/.test(text.slice(open + 1, at)) ? 0 : commas + 1 });
      }
    } else if (letter === "," && depth === 1 && !/^\s*\)/.test(text.slice(at + 1))) commas++;
  }
  return calls;
}

/** Whether a function that a file declares has a `catch`, or is said to need none. */
function handlesItself(name, code, source) {
  const escaped = name.replaceAll("$", "\\$");
  const declared = new RegExp(
    `^[ \\t]*(?:export )?(?:(?:async )?function ${escaped}\\b|const ${escaped} = |(?:async )?${escaped}\\([^)]*\\)[^;{]*\\{)`,
    "m",
  ).exec(code);
  if (!declared) return false;
  const body = code.slice(declared.index);
  const above = source.slice(0, declared.index).trimEnd().split("\n").at(-1) ?? "";
  return /[Nn](?:ever|either) rejects\b/.test(above) || /\bcatch\b/.test(body.slice(0, blockEnd(body)));
}

/** Where a declaration ends: at the bracket that closes its body, or with its statement. */
function blockEnd(body) {
  let depth = 0;
  let isOpen = false;
  for (let at = 0; at < body.length; at++) {
    at = skipText(body, at);
    if ("([{".includes(body[at])) {
      depth++;
      isOpen ||= body[at] === "{";
    } else if (")]}".includes(body[at])) {
      depth--;
      if (
        depth === 0 &&
        isOpen &&
        body[at] === "}" &&
        !/^\s*(?:[,:)]|\)?\s*=>|\s*=[^=]|\s*\{)/.test(body.slice(at + 1))
      )
        return at;
    } else if (body[at] === ";" && depth === 0) return at;
  }
  return body.length;
}

/** The expression that begins at a place, up to the end of its statement, argument or list item. */
function expressionAt(code, start) {
  let depth = 0;
  for (let at = start; at < code.length; at++) {
    at = skipText(code, at);
    if ("([{".includes(code[at])) depth++;
    else if (")]}".includes(code[at]) && --depth < 0) return code.slice(start, at);
    else if (depth === 0 && (code[at] === ";" || code[at] === ",")) return code.slice(start, at);
  }
  return code.slice(start);
}

/** The last letter of the text that begins at a place; the place itself if none begins there. */
function skipText(code, at) {
  const quote = code[at];
  if (quote !== '"' && quote !== "'" && quote !== "`") return at;
  for (let end = at + 1; end < code.length; end++) {
    if (code[end] === "\\") end++;
    else if (code[end] === quote) return end;
    else if (code[end] === "\n" && quote !== "`") return at; // an apostrophe in JSX
  }
  return at;
}

const blankComments = (source) =>
  source.replace(/(?<![:"'`\w])\/\/.*|\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, " "));

const ourFiles = () =>
  execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", ...FOLDERS], {
    cwd: ROOT,
    encoding: "utf8",
  })
    .split("\n")
    .filter((file) => /\.tsx?$/.test(file) && !IS_LEFT_OUT.test(file));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = ourFiles().flatMap((file) => findUnhandled(file, readFileSync(join(ROOT, file), "utf8")));
  for (const { at, text } of found)
    console.error(`${at}: void ${text.slice(0, 80)} has no handler: add .catch(…), or use inBackground`);
  process.exit(found.length === 0 ? 0 : 1);
}
