import { readFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { outputSchema, rigSchema } from "@followspot/contract";
import { z } from "zod";
import { writeFileAtomic } from "../platform/atomic-file.ts";

const stageStateSchema = z.object({
  blackout: z.boolean(),
  /** The rig that is lit now, and where it is sent; null while nothing is sent. */
  lit: z.object({ rig: rigSchema, outputs: z.array(outputSchema).readonly() }).nullable(),
});

/** What a stage that was killed must know when it starts again. */
export type StageState = z.infer<typeof stageStateSchema>;

/** Keeps the stage's state in a file of the data folder. The file is there only while a stage runs, or was killed. */
export class StageMemory {
  readonly #file: string;
  #state: StageState = { blackout: false, lit: null };
  #isDirty = false;
  #writing: Promise<void> | undefined;

  constructor(dataDir: string) {
    this.#file = join(dataDir, "stage-state.json");
  }

  /** What a killed stage left; undefined after a clean end. */
  recall(): StageState | undefined {
    try {
      return (this.#state = stageStateSchema.parse(JSON.parse(readFileSync(this.#file, "utf8"))));
    } catch {
      return undefined; // the usual start: nothing to recover
    }
  }

  /** Written in the background; of several states in a row the last one. `lit` is compared by identity. */
  keep(state: StageState): void {
    if (state.blackout === this.#state.blackout && state.lit === this.#state.lit) return;
    this.#state = state;
    this.#isDirty = true;
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined));
  }

  /** A clean end: the next start has nothing to recover. */
  async forget(): Promise<void> {
    this.#isDirty = false;
    await this.#writing;
    await rm(this.#file, { force: true });
  }

  async #write(): Promise<void> {
    while (this.#isDirty) {
      this.#isDirty = false;
      try {
        await mkdir(dirname(this.#file), { recursive: true });
        await writeFileAtomic(this.#file, JSON.stringify(this.#state), "stage");
      } catch (error) {
        console.error(`stage: state not kept: ${String(error)}`); // a full disk must not stop the show
      }
    }
  }
}
