import { open, readFile } from "node:fs/promises";
import { compactKey } from "@followspot/lighting/fixture-formats";
import { fileIn, readIndex, type LampIndex, type PackedLamp } from "./lamp-pack.ts";

interface KnownLamp {
  readonly lamp: PackedLamp;
  /** Text that a search matches. */
  readonly searched: string;
}

interface Shelf {
  readonly index: LampIndex;
  /** Bundled fixtures, by name. */
  readonly known: readonly KnownLamp[];
  readonly byCompactKey: ReadonlyMap<string, PackedLamp>;
}

/** Most words of a search that are used. */
const MOST_WORDS = 8;

/** The bundled fixture library. Nothing is read before the first search, and fixture files are read one at a time. */
export class LampLibrary {
  readonly #folder: URL;
  #shelf: Promise<Shelf> | undefined;

  /** @param folder contains `index.br` and `lamps.br` */
  constructor(folder: URL) {
    this.#folder = folder;
  }

  /** Returns fixtures that match all words of a text: those with the most word-start matches first, then by name. */
  async search(
    text: string,
    limit: number,
  ): Promise<{ readonly lamps: readonly PackedLamp[]; readonly total: number }> {
    const { known } = await this.#read();
    const words = wordsOf(text);
    const found = known.filter(({ searched }) => words.every((word) => searched.includes(word)));
    const begun = ({ searched }: KnownLamp) => words.filter((word) => searched.includes(` ${word}`)).length;
    const ranked = found
      .map((each) => ({ lamp: each.lamp, begun: begun(each) }))
      .toSorted((a, b) => b.begun - a.begun)
      .map(({ lamp }) => lamp);
    return { lamps: ranked.slice(0, limit), total: ranked.length };
  }

  async find(key: string): Promise<PackedLamp | undefined> {
    const { known } = await this.#read();
    return known.find(({ lamp }) => lamp.key === key)?.lamp;
  }

  /** Returns the fixture whose key differs from a compact key in word separators only. */
  async findCompact(key: string): Promise<PackedLamp | undefined> {
    return (await this.#read()).byCompactKey.get(key);
  }

  /** Returns the original file of a fixture. */
  async fileOf(lamp: PackedLamp): Promise<{ readonly name: string; readonly bytes: Uint8Array }> {
    const { index } = await this.#read();
    const { from, to } = index.blocks[lamp.block]!; // the index contains its own blocks
    const file = await open(new URL("lamps.br", this.#folder));
    try {
      const block = new Uint8Array(to - from);
      await file.read(block, 0, block.length, from);
      return { name: lamp.file, bytes: fileIn(block, lamp) };
    } finally {
      await file.close();
    }
  }

  #read(): Promise<Shelf> {
    this.#shelf ??= readShelf(this.#folder).catch((error: unknown) => {
      this.#shelf = undefined; // read again at the next search
      throw error;
    });
    return this.#shelf;
  }
}

async function readShelf(folder: URL): Promise<Shelf> {
  const index = readIndex(await readFile(new URL("index.br", folder)));
  const known = index.lamps
    .map((lamp) => ({ lamp, searched: searchedIn(lamp) }))
    .toSorted((a, b) => (a.lamp.name.toLowerCase() < b.lamp.name.toLowerCase() ? -1 : 1));
  return { index, known, byCompactKey: new Map(index.lamps.map((lamp) => [compactKey(lamp.key), lamp])) };
}

/** Returns the searched words, each with a space before it. */
const searchedIn = ({ name, manufacturer, model, type }: PackedLamp): string =>
  ` ${[name, manufacturer, model, type.replaceAll("_", " ")].join(" ")}`.toLowerCase().replaceAll(/\s+/g, " ");

const wordsOf = (text: string): readonly string[] =>
  text.toLowerCase().split(/\s+/).filter((word) => word !== "").slice(0, MOST_WORDS); // prettier-ignore

const SHIPPED = new LampLibrary(new URL("./", import.meta.url));

/** Returns the library in this folder. */
export const shippedLamps = () => SHIPPED;
