import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../platform/settings.ts";

/** Pages that describe the current state; decisions are left out because they describe the past. */
export const PAGES: readonly string[] = [
  "README.md",
  "CONTRIBUTING.md",
  "ARCHITECTURE.md",
  ...globSync(["docs/*.md", "docs/guide/*.md", "packages/*/README.md"], { cwd: ROOT }).sort(),
  ...globSync(["bench/*/README.md", "programs/*/README.md", "training/README.md"], { cwd: ROOT }).sort(),
];

/** Fenced block of a page. */
export interface Block {
  /** Such as "docs/guide/apps.md:10". */
  readonly at: string;
  readonly language: string;
  /** Text after the language, such as "not-run: starts containers". */
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

/** Command that a page tells readers to type. */
export interface Command {
  readonly at: string;
  readonly line: string;
}

/** Returns the commands of a page: of its runnable `sh` blocks, then those of ours within sentences. */
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
