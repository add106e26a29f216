import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/** Metrics of this process in the Prometheus text format; every module registers its own. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #calls: Histogram<"method" | "code">;

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
    this.#calls = new Histogram({
      name: "followspot_rpc_seconds",
      help: "How long calls took, by method and code of the answer",
      labelNames: ["method", "code"],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [this.#registry],
    });
  }

  /** @param code name of the Connect code, such as NotFound; "ok" for a success */
  countCall(method: string, code: string, seconds: number): void {
    this.#calls.observe({ method, code }, seconds);
  }

  /** Registers a counter. @returns function that increments it */
  counterPer<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
  ): (labels: Readonly<Record<Label, string>>, count: number) => void {
    const counter = new Counter({
      name: `followspot_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [this.#registry],
    });
    return (labels, count) => counter.inc(labels, count);
  }

  /** Registers a gauge that is computed on each scrape. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    new Gauge({
      name: `followspot_${name}`,
      help,
      registers: [this.#registry],
      async collect() {
        try {
          this.set(await read());
        } catch {
          this.set(Number.NaN); // its source is unavailable
        }
      },
    });
  }

  /** Registers a gauge with labels, such as a stream, or a step and its state. A failed read yields no values. */
  gaugePer<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    read: () => Promise<Iterable<readonly [Readonly<Record<Label, string>>, number]>>,
  ): void {
    new Gauge({
      name: `followspot_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [this.#registry],
      async collect() {
        this.reset();
        for (const [labels, value] of await read().catch(() => [])) this.set(labels, value);
      },
    });
  }

  /**
   * Registers a counter of another process, read on each scrape. A failed read repeats the last values.
   * @param read returns the counts since that process started
   */
  totalPer<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    read: () => Promise<Iterable<readonly [Readonly<Partial<Record<Label, string>>>, number]>>,
  ): void {
    new Counter({
      name: `followspot_${name}_total`,
      help,
      labelNames: [...labelNames],
      registers: [this.#registry],
      async collect() {
        const counts = await read().catch(() => undefined);
        if (!counts) return;
        this.reset();
        for (const [labels, count] of counts) this.inc(labels, count);
      },
    });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
