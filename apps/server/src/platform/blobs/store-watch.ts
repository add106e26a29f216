import { BlobError, type BlobStore } from "./blob-store.ts";

/** Monitors whether the store of songs responds. */
export class StoreWatch {
  readonly #store: BlobStore;
  readonly #warn: (message: string) => void;
  #fault = "";

  constructor(store: BlobStore, warn: (message: string) => void) {
    this.#store = store;
    this.#warn = warn;
  }

  /** Current faults, in sentences; empty if there are none. */
  get reasons(): readonly string[] {
    return this.#fault === "" ? [] : [this.#fault];
  }

  /** Probes the store. Never rejects; a new fault is logged. */
  async look(): Promise<void> {
    const fault = await (this.#store.probe?.() ?? Promise.resolve()).then(
      () => "",
      (error: Error) => (error instanceof BlobError ? error.rawMessage : error.message),
    );
    if (fault !== "" && fault !== this.#fault) this.#warn(`${this.#store.name}: ${fault}`);
    this.#fault = fault;
  }
}
