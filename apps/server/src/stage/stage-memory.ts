import { readFileSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { outputSchema, rigSchema } from "@followspot/contract";
import { z } from "zod";
import { writeFileAtomic } from "../platform/files/atomic-file.ts";
import type { Log } from "../platform/process/log.ts";

const FILE = "stage-state.json";

const handSchema = z.object({
  value: z.union([z.literal(true), z.number(), z.string().max(20)]),
  owner: z.string(),
  owner_name: z.string(),
  since: z.number(),
});

const stageStateSchema = z.object({
  /** Desk controls that are restored. */
  hands: z.record(z.string(), handSchema),
  /** The lit rig and its outputs; null while nothing is sent. */
  lit: z.object({ rig: rigSchema, outputs: z.array(outputSchema).readonly() }).nullable(),
});

/** State that a stage needs to recover after a crash. */
export type StageState = z.infer<typeof stageStateSchema>;

/**
 * Withholds the outputs that a stage would restore after a crash, because another machine drives the fixtures by now.
 */
export async function withholdRecalled(dataDir: string): Promise<void> {
  const file = join(dataDir, FILE);
  const text = await readFile(file, "utf8").catch(() => undefined);
  const { data: state } = stageStateSchema.safeParse(text && parsedJson(text));
  if (!state?.lit) return;
  const outputs = state.lit.outputs.map((output) => ({ ...output, withheld: true }));
  await writeFileAtomic(file, JSON.stringify({ ...state, lit: { ...state.lit, outputs } }), "supervisor");
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the stage reports a damaged file
  }
}

/**
 * Stores the stage's state in a file of the data folder. After a clean end it holds only permanent choices: the idle
 * look.
 */
export class StageMemory {
  readonly #file: string;
  #state: StageState = { hands: {}, lit: null };
  /**
   * Number of states to store, and the number of the newest one that is in the file or was superseded by one that is.
   */
  #kept = 0;
  #written = 0;
  #writing: Promise<void> | undefined;
  #waiting: { readonly upTo: number; readonly resolve: () => void }[] = [];

  readonly #log: Log;

  constructor(dataDir: string, log: Log) {
    this.#log = log;
    this.#file = join(dataDir, FILE);
  }

  /** Returns the state of the previous stage process; undefined if there was none or nothing is to be restored. */
  recall(): StageState | undefined {
    try {
      return (this.#state = stageStateSchema.parse(JSON.parse(readFileSync(this.#file, "utf8"))));
    } catch (error) {
      // The usual start finds no file. With a damaged file an interrupted show stays dark, so that is logged.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT")
        this.#log.error({ err: error, file: this.#file }, "the state of the stage cannot be read; nothing is taken up");
      return undefined;
    }
  }

  /** Writes in the background; of several states in a row only the last. `lit` is compared by identity. */
  keep({ hands, lit }: StageState): void {
    const isSame = JSON.stringify(hands) === JSON.stringify(this.#state.hands);
    if (isSame && lit === this.#state.lit) return;
    this.#state = { hands, lit };
    this.#kept++;
    this.#writing ??= this.#write();
  }

  /** Resolves once all states so far would survive a crash of the process; also if the disk rejects them. */
  written(): Promise<void> {
    const upTo = this.#kept;
    if (this.#written >= upTo) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ upTo, resolve }));
  }

  /** Ends cleanly: the next start lights nothing. @param hands controls to keep nevertheless */
  async end(hands: StageState["hands"]): Promise<void> {
    await this.#writing;
    if (Object.keys(hands).length === 0) return rm(this.#file, { force: true });
    this.#state = { hands, lit: null };
    this.#kept++;
    await this.#write();
  }

  async #write(): Promise<void> {
    while (this.#written < this.#kept) {
      const upTo = this.#kept;
      try {
        await mkdir(dirname(this.#file), { recursive: true });
        await writeFileAtomic(this.#file, JSON.stringify(this.#state), "stage");
      } catch (error) {
        this.#log.error({ err: error }, "the state of the stage is not kept"); // a full disk must not stop the show
      }
      this.#written = upTo;
      for (const { resolve } of this.#waiting.filter((each) => each.upTo <= upTo)) resolve();
      this.#waiting = this.#waiting.filter((each) => each.upTo > upTo);
    }
    this.#writing = undefined;
  }
}
