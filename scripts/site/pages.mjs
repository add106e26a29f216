// The pages of the site, in the order of its menu: each heading with its pages, as paths from the root of the repository.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../house.mjs";

const guide = (...names) => names.map((name) => `docs/guide/${name}.md`);

/** Pages that the menu does not name by hand come under the last heading: none is left out. */
export function menu() {
  const named = [
    ["Followspot", ["README.md", "docs/guide/first-night.md"]],
    [
      "Use it",
      guide("admin", "lights", "fixtures", "outputs", "desk", "live-sound", "sync", "films", "recordings", "lists"),
    ],
    ["Music and shows", guide("correcting", "how-a-show-is-planned", "look-book", "show-judge")],
    ["The night", guide("night", "doors", "guests", "player", "members")],
    [
      "Run it",
      [
        ...guide("operations", "install", "secure", "watch", "back-up", "upgrading", "scale", "sizing", "recover"),
        ...guide("dependencies", "access"),
        "docs/benchmarks.md",
        "CHANGELOG.md",
        "SECURITY.md",
        "SUPPORT.md",
      ],
    ],
    [
      "Build on it",
      [
        "CONTRIBUTING.md",
        "CODE_OF_CONDUCT.md",
        "docs/style.md",
        ...guide("apps", "new-screen", "kept"),
        "docs/engines.md",
        "ARCHITECTURE.md",
        "GLOSSARY.md",
      ],
    ],
  ];
  const known = new Set(named.flatMap(([, pages]) => pages));
  const guides = markdownIn("docs/guide").filter((page) => !known.has(page));
  const there = new Set([...markdownIn("docs/guide"), ...markdownIn("docs"), ...markdownIn("")]);
  return [
    ...named.map(([title, pages]) => [title, pages.filter((page) => there.has(page))]),
    ...(guides.length > 0 ? [["More", guides]] : []),
    ["Decisions", markdownIn("docs/decisions")],
  ];
}

const markdownIn = (folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));
