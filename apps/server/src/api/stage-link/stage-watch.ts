import { outputHealthSchema } from "@followspot/contract";

/**
 * Time without a response after which the stage is reported as unavailable, ms. A crashed or hung stage is replaced
 * within seconds.
 */
const PATIENCE_MS = 5000;

const SILENT =
  "The stage does not answer: lamps get no show. It is started again by itself; if it stays away, restart Followspot on its machine.";

/** Tracks whether the stage of this machine responds. */
export class StageWatch {
  readonly #ask: () => Promise<unknown>;
  readonly #now: () => number;
  /** Time of the first missed response; undefined while it responds. */
  #silentSince: number | undefined;
  #withheldBecause: string | undefined;

  /** @param ask rejects if the stage does not respond @param now the monotonic clock, ms */
  constructor(ask: () => Promise<unknown>, now: () => number = () => performance.now()) {
    this.#ask = ask;
    this.#now = now;
  }

  /** Problems of the stage, as sentences; none while it responds or is being replaced. */
  get reasons(): readonly string[] {
    if (this.#silentSince === undefined || this.#now() - this.#silentSince < PATIENCE_MS) return [];
    return [SILENT];
  }

  /** Why the stage sends nothing, if another machine on the same database drives the fixtures. */
  get withheldBecause(): string | undefined {
    return this.#withheldBecause;
  }

  /** Never rejects. */
  async look(): Promise<void> {
    try {
      const health = await this.#ask();
      this.#withheldBecause = outputHealthSchema.partial().safeParse(health).data?.withheld_because;
      this.#silentSince = undefined;
    } catch {
      this.#silentSince ??= this.#now();
    }
  }
}
