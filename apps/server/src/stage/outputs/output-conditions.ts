import type { Output } from "@followspot/contract";
import { wireKey } from "./wire-output.ts";

/** Condition of one output, as reported in /health. */
export interface OutputCondition {
  /**
   * sending: frames are sent. silent: ready; nothing plays, or another machine sends. down: frames do not arrive, see
   * `last_error`.
   */
  readonly state: "sending" | "silent" | "down";
  /** RFC 3339, when the state began. */
  readonly since: string;
  /** A sentence; remains after the output works again. "" = no error so far. */
  readonly last_error: string;
}

/** Tracks the condition of each output and its start. */
export class OutputConditions {
  #outputs: readonly Output[] = [];
  readonly #conditions = new Map<string, OutputCondition>();
  /** Outputs that are down. */
  readonly #failed = new Set<string>();
  #isSending = false;

  /** Sets the outputs. An output with a new destination starts without history. */
  setOutputs(outputs: readonly Output[]): void {
    const known = new Set(this.#outputs.map(wireKey));
    const staying = new Set(outputs.filter((output) => known.has(wireKey(output))).map(({ id }) => id));
    for (const id of this.#conditions.keys()) if (!staying.has(id)) this.#forget(id);
    this.#outputs = outputs;
    this.#update();
  }

  /** Sets whether frames are sent at all. */
  setSending(isSending: boolean): void {
    this.#isSending = isSending;
    this.#update();
  }

  /** Records that an output has failed, with a sentence why, or works again. */
  report(id: string, failure: string | undefined): void {
    const condition = this.#conditions.get(id);
    if (!condition) return; // late report of a removed output
    if (failure === undefined) this.#failed.delete(id);
    else {
      this.#failed.add(id);
      this.#conditions.set(id, { ...condition, last_error: failure });
    }
    this.#update();
  }

  of(id: string): OutputCondition {
    return this.#conditions.get(id) ?? { state: this.#stateOf(id), since: new Date().toISOString(), last_error: "" };
  }

  #forget(id: string): void {
    this.#conditions.delete(id);
    this.#failed.delete(id);
  }

  #update(): void {
    for (const { id, withheld = false } of this.#outputs) {
      const state = this.#stateOf(id, withheld);
      const known = this.#conditions.get(id);
      if (known?.state === state) continue;
      this.#conditions.set(id, { state, since: new Date().toISOString(), last_error: known?.last_error ?? "" });
    }
  }

  #stateOf(id: string, withheld = false): OutputCondition["state"] {
    if (this.#failed.has(id)) return "down";
    return this.#isSending && !withheld ? "sending" : "silent";
  }
}
