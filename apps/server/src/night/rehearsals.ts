import { conflict } from "../platform/errors.ts";
import { readRehearsal, type RehearsalPorts, type RehearsalOptions } from "./rehearsal-facts.ts";
import { rehearse, type Rehearsal, type RehearsalFacts } from "./rehearsal.ts";
import { rehearseLight } from "./rehearse-light.ts";

export interface DoneRehearsal extends Rehearsal {
  readonly facts: RehearsalFacts;
}

/** Rehearsals of this process; one at a time because each takes a processor core. */
export class Rehearsals {
  readonly #ports: RehearsalPorts;
  #progress: { readonly done: number; readonly total: number } | undefined;

  constructor(ports: RehearsalPorts) {
    this.#ports = ports;
  }

  /** Number of songs whose light was computed, and their total; undefined while none runs. */
  get progress(): { readonly done: number; readonly total: number } | undefined {
    return this.#progress;
  }

  /** @param signal cancels the rehearsal @throws failed_precondition while another one runs */
  async run(options: RehearsalOptions, signal: AbortSignal): Promise<DoneRehearsal> {
    if (this.#progress) throw conflict("A rehearsal runs already. Wait until it is done, or cancel it.");
    this.#progress = { done: 0, total: 0 };
    try {
      const { facts: start, task } = await readRehearsal(this.#ports, options);
      const total = task.songs.length;
      this.#progress = { done: 0, total };
      const light = await rehearseLight(task, signal, (done) => (this.#progress = { done, total }));
      const facts: RehearsalFacts = { ...start, light, unlit: total - light.length };
      return { ...rehearse(facts), facts };
    } finally {
      this.#progress = undefined;
    }
  }
}
