import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonValue } from "@bufbuild/protobuf";

/** A screen of the build, by its path below /admin: segments that begin with "$" stand for any. */
interface BuiltScreen {
  readonly path: string;
  /** What it needs beside what the document names. */
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/**
 * The console's document, naming the files of the screen that stands at a path: they come beside the first script, which would
 * ask for them only once it runs.
 * @param path below /admin, such as "/users"; one of no screen has the document as it was built
 * @returns undefined when the console is not built
 */
export async function documentOfScreen(dist: string, path: string): Promise<string | undefined> {
  // Read each time: a build replaces them while the server runs.
  const [document, screens] = await Promise.all([textOf(dist, "index.html"), textOf(dist, "screens.json")]);
  if (document === undefined) return undefined;
  const segments = segmentsOf(path);
  const known = JSON.parse(screens ?? "[]") as readonly BuiltScreen[];
  const screen = known.find((each) => isAt(segments, segmentsOf(each.path)));
  return screen ? beforeHeadEnds(document, filesOf(screen)) : document;
}

/** The document with who is signed in, as JSON that the console reads in place of asking. */
export const withSession = (document: string, session: JsonValue): string =>
  // "<" could end the element.
  beforeHeadEnds(
    document,
    `<script type="application/json" id="session">${JSON.stringify(session).replaceAll("<", "\\u003c")}</script>`,
  );

/** The document with the address for links that leave the page, unless that is the page's own. */
export const withLinkAddress = (document: string, address: string | undefined): string =>
  address === undefined ? document : beforeHeadEnds(document, `<meta name="link-address" content="${address}">`);

/** The document below a path: its files have addresses there, and its scripts read the path. */
export const withBasePath = (document: string, basePath: string): string =>
  basePath === ""
    ? document
    : beforeHeadEnds(
        document.replaceAll(/ (href|src)="(?=\/(?!\/))/g, ` $1="${basePath}`),
        `<meta name="base-path" content="${basePath}">`,
      );

/** The document in the theme that the browser keeps, so that it is never painted in another one first. */
export function withTheme(document: string, cookie = ""): string {
  const theme = /(?:^|; )followspot_theme=(dark|light|system)(?:;|$)/.exec(cookie)?.[1];
  return theme === undefined ? document : document.replace("<html ", `<html data-theme="${theme}" `);
}

const filesOf = ({ scripts, styles }: BuiltScreen): string =>
  [
    ...scripts.map((file) => `<link rel="modulepreload" crossorigin href="/admin/${file}">`),
    ...styles.map((file) => `<link rel="stylesheet" crossorigin href="/admin/${file}">`),
  ].join("");

const beforeHeadEnds = (document: string, more: string): string => document.replace("</head>", () => `${more}</head>`);

const textOf = (dist: string, file: string): Promise<string | undefined> =>
  readFile(join(dist, file), "utf8").catch(() => undefined);

const segmentsOf = (path: string) => path.split("/").filter((segment) => segment !== "");

const isAt = (segments: readonly string[], path: readonly string[]): boolean =>
  segments.length === path.length && path.every((part, at) => part.startsWith("$") || part === segments[at]);
