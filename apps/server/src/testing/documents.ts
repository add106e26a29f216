import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../platform/settings.ts";

/** The pages people work by. Decisions tell what was true once. */
export const PAGES: readonly string[] = [
  "README.md",
  "CONTRIBUTING.md",
  "ARCHITECTURE.md",
  ...globSync(["docs/*.md", "docs/guide/*.md", "packages/*/README.md"], { cwd: ROOT }).sort(),
  ...globSync(["bench/*/README.md", "programs/*/README.md", "training/README.md"], { cwd: ROOT }).sort(),
];

/** A fenced block of a page. */
export interface Block {
  /** "docs/guide/apps.md:10". */
  readonly at: string;
  readonly language: string;
  /** What stands behind the language: "not-run: starts containers". */
  readonly words: string;
  readonly text: string;
}

export const textOf = (page: string): string => readFileSync(join(ROOT, page), "utf8");

export function blocksOf(page: string): Block[] {
  const text = textOf(page);
  return [...text.matchAll(/^( *)```(\S*) ?(.*)\n([\s\S]*?)^ *```$/gm)].map((match) => {
    const [, indent = "", language = "", words = "", block = ""] = match;
    const line = text.slice(0, match.index).split("\n").length;
    return { at: `${page}:${line}`, language, words, text: block.replaceAll(new RegExp(`^${indent}`, "gm"), "") };
  });
}

/** A command a page tells people to type. */
export interface Command {
  readonly at: string;
  readonly line: string;
}

/** The commands of a page in its order: of its `sh` blocks that are run, and those of ours within its sentences. */
export function commandsOf(page: string): Command[] {
  const fenced = blocksOf(page)
    .filter(({ language, words }) => language === "sh" && words === "")
    .flatMap(({ at, text }) => {
      const lines = text.replaceAll(/ *\\\n */g, " ").split("\n");
      return lines.map((line) => ({ at, line: line.replace(/ +# .*$/, "").trim() })).filter(({ line }) => line !== "");
    });
  const prose = textOf(page).replaceAll(/^ *```[\s\S]*?^ *```$/gm, "");
  const inSentences = [...prose.matchAll(/`((?:npm|npx|node|curl) [^`]+)`/g)].map(([, line = ""]) => ({
    at: page,
    line: line.replaceAll(/\s+/g, " "),
  }));
  return [...fenced, ...inSentences];
}
