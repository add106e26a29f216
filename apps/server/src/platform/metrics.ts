import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Figures of this process in the Prometheus text format; every part adds its own. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #calls: Histogram<"method" | "code">;

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
    this.#calls = new Histogram({
      name: "followspot_rpc_seconds",
      help: "How long calls took, by method and code of the answer",
      labelNames: ["method", "code"],
      buckets: [0.005, 0.02, 0.1, 0.5, 2],
      registers: [this.#registry],
    });
  }

  /** @param code name of the Connect code, such as NotFound; "ok" for an answer */
  countCall(method: string, code: string, seconds: number): void {
    this.#calls.observe({ method, code }, seconds);
  }

  /** A figure that is asked for when somebody reads the metrics. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    new Gauge({
      name: `followspot_${name}`,
      help,
      registers: [this.#registry],
      async collect() {
        try {
          this.set(await read());
        } catch {
          this.set(Number.NaN); // whoever was asked is away
        }
      },
    });
  }

  /** The same by label, such as a stream or a state. */
  gaugePer(name: string, help: string, label: string, read: () => Promise<ReadonlyMap<string, number>>): void {
    new Gauge({
      name: `followspot_${name}`,
      help,
      labelNames: [label],
      registers: [this.#registry],
      async collect() {
        this.reset();
        try {
          for (const [key, value] of await read()) this.set({ [label]: key }, value);
        } catch {
          // whoever was asked is away: no figures
        }
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
