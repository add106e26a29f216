import { BlobError, type BlobStore } from "./blob-store.ts";

/** Whether the store of songs answers, as it was looked at last. */
export class StoreWatch {
  readonly #store: BlobStore;
  readonly #warn: (message: string) => void;
  #fault = "";

  constructor(store: BlobStore, warn: (message: string) => void) {
    this.#store = store;
    this.#warn = warn;
  }

  /** Why it does not, in sentences; none when it does. */
  get reasons(): readonly string[] {
    return this.#fault === "" ? [] : [this.#fault];
  }

  /** Never rejects. A new fault is told. */
  async look(): Promise<void> {
    const fault = await (this.#store.probe?.() ?? Promise.resolve()).then(
      () => "",
      (error: Error) => (error instanceof BlobError ? error.rawMessage : error.message),
    );
    if (fault !== "" && fault !== this.#fault) this.#warn(`${this.#store.name}: ${fault}`);
    this.#fault = fault;
  }
}
