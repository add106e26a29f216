/** A stage that ends or hangs is replaced within seconds; one that is silent for longer is told, ms. */
const PATIENCE_MS = 5000;

const SILENT =
  "The stage does not answer: lamps get no show. It is started again by itself; if it stays away, restart Followspot on its machine.";

/** Whether the stage of this machine answers, as it was looked at last. */
export class StageWatch {
  readonly #ask: () => Promise<unknown>;
  readonly #now: () => number;
  /** When it was silent first; undefined while it answers. */
  #silentSince: number | undefined;

  /** @param ask rejects while the stage does not answer @param now the monotonic clock, ms */
  constructor(ask: () => Promise<unknown>, now: () => number = () => performance.now()) {
    this.#ask = ask;
    this.#now = now;
  }

  /** What is wrong with it, in sentences; none while it answers, or is being replaced. */
  get reasons(): readonly string[] {
    if (this.#silentSince === undefined || this.#now() - this.#silentSince < PATIENCE_MS) return [];
    return [SILENT];
  }

  /** Never rejects. */
  async look(): Promise<void> {
    const answers = await this.#ask().then(
      () => true,
      () => false,
    );
    if (answers) this.#silentSince = undefined;
    else this.#silentSince ??= this.#now();
  }
}
