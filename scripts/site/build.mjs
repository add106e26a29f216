// npm run site [-- --out DIR]: the documents as a small static site, without a script or a file from elsewhere. Into site/.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, normalize, relative, resolve } from "node:path";
import { readOptions } from "../../apps/server/src/platform/process/program-options.mjs";
import { ensureInstalled, ROOT, say } from "../house.mjs";
import { menu } from "./pages.mjs";

const { values } = readOptions("site");
await ensureInstalled();
const { Marked } = await import("marked");

const out = resolve(process.env.INIT_CWD ?? process.cwd(), values.out ?? join(ROOT, "site"));
rmSync(out, { recursive: true, force: true });

const groups = menu();
const pages = new Set(groups.flatMap(([, paths]) => paths));
const files = new Set();
for (const page of pages) write(page);
for (const file of files) copy(file);
copy("scripts/site/site.css", "site.css");
say(`${pages.size} pages and ${files.size} pictures and films: ${join(out, "index.html")}`);

function write(page) {
  const text = readFileSync(join(ROOT, page), "utf8");
  const target = join(out, addressOf(page));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, documentOf(page, titleOf(text, page), htmlOf(page, text)));
}

function htmlOf(page, text) {
  const seen = new Map();
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth, text: words }) {
        return `<h${depth} id="${anchorOf(words, seen)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const to = linkFrom(page, href);
        return to === undefined ? inner : `<a href="${to}">${inner}</a>`;
      },
      image({ href, text: words }) {
        return `<img src="${linkFrom(page, href)}" alt="${escaped(words)}" loading="lazy">`;
      },
    },
  });
  return marked.parse(text);
}

/** What GitHub makes of a heading, so that links between documents hold in both places. */
function anchorOf(words, seen) {
  const plain = words.replace(/[`*_]|\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
  const anchor = plain
    .replace(/[^\p{L}\p{N}\s-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
  const times = seen.get(anchor) ?? 0;
  seen.set(anchor, times + 1);
  return times === 0 ? anchor : `${anchor}-${times}`;
}

/** Address of a link as the site has it; undefined for sources, which the site does not carry. */
function linkFrom(page, href) {
  if (/^(?:https?:|mailto:|#)/.test(href)) return href;
  const [path, anchor] = href.split("#");
  const file = normalize(join(dirname(page), path));
  const target = pages.has(file) ? file : pages.has(join(file, "README.md")) ? join(file, "README.md") : undefined;
  if (target === undefined && !/\.(?:webp|svg|png|mp4)$/.test(file)) return undefined;
  if (target === undefined) files.add(file);
  return here(page, target ? addressOf(target) : file) + (anchor ? `#${anchor}` : "");
}

function documentOf(page, title, body) {
  const entry = (to) => {
    const words = escaped(titleOf(readFileSync(join(ROOT, to), "utf8"), to));
    return `<li><a href="${here(page, addressOf(to))}"${to === page ? ' aria-current="page"' : ""}>${words}</a></li>`;
  };
  const group = ([name, paths]) => {
    const isOpen = name !== "Decisions" || paths.includes(page);
    return `<details${isOpen ? " open" : ""}><summary>${name}</summary><ul>${paths.map(entry).join("")}</ul></details>`;
  };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title === "Followspot" ? title : `${title} · Followspot`)}</title>
<link rel="stylesheet" href="${here(page, "site.css")}">
</head>
<body>
<nav aria-label="Pages">${groups.map(group).join("")}</nav>
<main>
${body}</main>
</body>
</html>
`;
}

function copy(from, to = from) {
  mkdirSync(dirname(join(out, to)), { recursive: true });
  cpSync(join(ROOT, from), join(out, to));
}

function addressOf(page) {
  return page === "README.md" ? "index.html" : page.replace(/\.md$/, ".html");
}

/** The way from a page to a file of the site. */
function here(page, file) {
  return relative(dirname(addressOf(page)), file);
}

function titleOf(text, page) {
  return /^# (.+)$/m.exec(text)?.[1].replaceAll("`", "") ?? page;
}

function escaped(words) {
  return words.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);
}
