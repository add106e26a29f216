import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomic } from "../files/atomic-file.ts";

const FILE = "moved-blobs.json";
/** Shortest interval between saves, ms; unsaved notes only cost another comparison. */
const SAVE_MS = 5000;

const noteSchema = z.object({
  /** Etags of the file in both stores, and its content's hash, when it was copied. */
  from: z.string(),
  to: z.string(),
  sha256: z.string(),
});
const notesSchema = z.object({
  /** FOLLOWSPOT_BLOBS of both stores; "" is the data folder. */
  from: z.string(),
  to: z.string(),
  files: z.record(z.string(), noteSchema),
});
type Note = z.infer<typeof noteSchema>;

/** Record of the files that a move has copied, stored in the data folder between its passes. */
export class MoveNotes {
  readonly #dataDir: string;
  readonly #from: string;
  readonly #to: string;
  readonly #files: Map<string, Note>;
  #savedMs = performance.now();

  private constructor(dataDir: string, { from, to, files }: z.infer<typeof notesSchema>) {
    this.#dataDir = dataDir;
    this.#from = from;
    this.#to = to;
    this.#files = new Map(Object.entries(files));
  }

  /** Opens the record of a move between these two stores; empty for a different move. */
  static async open(dataDir: string, from: string, to: string): Promise<MoveNotes> {
    const last = await readNotes(dataDir);
    const isOurs = last?.from === from && last.to === to;
    return new MoveNotes(dataDir, isOurs ? last : { from, to, files: {} });
  }

  /** Returns the source of the last move to a store; undefined if there was none. */
  static async sourceOf(dataDir: string, to: string): Promise<string | undefined> {
    const last = await readNotes(dataDir);
    return last?.to === to ? last.from : undefined;
  }

  of(key: string): Note | undefined {
    return this.#files.get(key);
  }

  keys(): readonly string[] {
    return [...this.#files.keys()];
  }

  note(key: string, note: Note): void {
    this.#files.set(key, note);
  }

  forget(key: string): void {
    this.#files.delete(key);
  }

  /** @param now ignores the shortest interval */
  async save(now = false): Promise<void> {
    if (!now && performance.now() - this.#savedMs < SAVE_MS) return;
    const notes = { from: this.#from, to: this.#to, files: Object.fromEntries(this.#files) };
    await writeFileAtomic(join(this.#dataDir, FILE), JSON.stringify(notes), String(process.pid), 0o600);
    this.#savedMs = performance.now();
  }

  /** Deletes the record after the move. */
  async remove(): Promise<void> {
    await rm(join(this.#dataDir, FILE), { force: true });
  }
}

async function readNotes(dataDir: string): Promise<z.infer<typeof notesSchema> | undefined> {
  const text = await readFile(join(dataDir, FILE), "utf8").catch(() => ""); // nothing was moved yet
  return text === "" ? undefined : notesSchema.parse(JSON.parse(text));
}
