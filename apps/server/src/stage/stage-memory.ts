import { readFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { outputSchema, rigSchema } from "@followspot/contract";
import { z } from "zod";
import { writeFileAtomic } from "../platform/atomic-file.ts";
import type { Log } from "../platform/log.ts";

const handSchema = z.object({
  value: z.union([z.literal(true), z.number(), z.string().max(20)]),
  owner: z.string(),
  owner_name: z.string(),
  since: z.number(),
});

const stageStateSchema = z.object({
  /** Controls of the desk that are taken up again. */
  hands: z.record(z.string(), handSchema),
  /** The rig that is lit now, and where it is sent; null while nothing is sent. */
  lit: z.object({ rig: rigSchema, outputs: z.array(outputSchema).readonly() }).nullable(),
});

/** What a stage that was killed must know when it starts again. */
export type StageState = z.infer<typeof stageStateSchema>;

/**
 * Keeps the stage's state in a file of the data folder. After a clean end nothing is left in it but what was chosen for
 * good: the idle look.
 */
export class StageMemory {
  readonly #file: string;
  #state: StageState = { hands: {}, lit: null };
  /** States there were to keep, and how many of them are in the file or were followed by one that is. */
  #kept = 0;
  #written = 0;
  #writing: Promise<void> | undefined;
  #waiting: { readonly upTo: number; readonly resolve: () => void }[] = [];

  readonly #log: Log;

  constructor(dataDir: string, log: Log) {
    this.#log = log;
    this.#file = join(dataDir, "stage-state.json");
  }

  /** What the stage before left; undefined when there was none, or nothing to take up. */
  recall(): StageState | undefined {
    try {
      return (this.#state = stageStateSchema.parse(JSON.parse(readFileSync(this.#file, "utf8"))));
    } catch (error) {
      // The usual start leaves no file. With a damaged one a show that was cut off stays dark: that is said.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT")
        this.#log.error({ err: error, file: this.#file }, "the state of the stage cannot be read; nothing is taken up");
      return undefined;
    }
  }

  /** Written in the background; of several states in a row the last one. `lit` is compared by identity. */
  keep({ hands, lit }: StageState): void {
    const isSame = JSON.stringify(hands) === JSON.stringify(this.#state.hands);
    if (isSame && lit === this.#state.lit) return;
    this.#state = { hands, lit };
    this.#kept++;
    this.#writing ??= this.#write();
  }

  /** Resolves once what was kept until now outlives the process; also when the disk does not take it. */
  written(): Promise<void> {
    const upTo = this.#kept;
    if (this.#written >= upTo) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ upTo, resolve }));
  }

  /** A clean end: the next start lights nothing up again. @param hands that stay nevertheless */
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
