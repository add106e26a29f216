import type { Output } from "@followspot/contract/lights";

/** Maximum absolute offset of an output, ms. */
export const MOST_MS = 1000;
/** Interval between saves during a drag, ms. Fixtures follow within a second. */
const SEND_MS = 200;

/** Save state of the value on screen. `saving` includes changes not sent yet. */
export type Saving = "saved" | "saving" | "failed";

export interface OffsetView {
  readonly value: number;
  readonly saving: Saving;
  readonly problem: unknown;
  /** Whether the value differs from the one that `cancel` restores. */
  readonly isChanged: boolean;
}

export interface OffsetKeeperOptions {
  /** Output to adjust, or all outputs that are adjusted together. */
  readonly outputs: readonly Output[];
  readonly save: (output: Output) => Promise<Output | undefined>;
  readonly onChange: (view: OffsetView) => void;
}

/**
 * Saves an offset while the user drags it: the offset of one output, or a common shift of several. Requests run one at a time;
 * of the pending changes only the last is sent. `cancel` restores the initial offsets.
 */
export class OffsetKeeper {
  readonly #options: OffsetKeeperOptions;
  /** Outputs as last saved on the server. */
  readonly #outputs: Map<string, Output>;
  #first: ReadonlyMap<string, number>;
  #value: number;
  #firstValue: number;
  #view: OffsetView;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<void> | undefined;

  constructor(options: OffsetKeeperOptions) {
    this.#options = options;
    const { outputs } = options;
    this.#outputs = new Map(outputs.map((output) => [output.id, output]));
    this.#first = new Map(outputs.map(({ id, offsetMs }) => [id, offsetMs]));
    this.#firstValue = outputs.length === 1 ? outputs[0]!.offsetMs : 0;
    this.#value = this.#firstValue;
    this.#view = { value: this.#value, saving: "saved", problem: undefined, isChanged: false };
  }

  get view(): OffsetView {
    return this.#view;
  }

  set(value: number): void {
    this.#value = Math.min(MOST_MS, Math.max(-MOST_MS, Math.round(value)));
    this.#show({ saving: "saving" });
    this.#timer ??= setTimeout(() => void this.#send(), SEND_MS);
  }

  /** Saves the current value and makes it the one that `cancel` restores. @returns false if the save failed */
  async keep(): Promise<boolean> {
    const isSaved = await this.#send();
    if (!isSaved) return false;
    this.#first = new Map([...this.#outputs.values()].map(({ id, offsetMs }) => [id, offsetMs]));
    this.#firstValue = this.#outputs.size === 1 ? this.#value : 0;
    this.#value = this.#firstValue;
    this.#show({});
    return true;
  }

  /** Restores the initial offsets. @returns false if the save failed */
  async cancel(): Promise<boolean> {
    this.#value = this.#firstValue;
    this.#show({ saving: "saving" });
    return this.#send();
  }

  async #send(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#sending;
    this.#sending = this.#sendAll();
    await this.#sending;
    return this.#view.saving !== "failed";
  }

  async #sendAll(): Promise<void> {
    const moved = this.#value - this.#firstValue;
    try {
      for (const [id, first] of this.#first) {
        const output = this.#outputs.get(id)!; // both maps have the same keys
        const offsetMs = Math.min(MOST_MS, Math.max(-MOST_MS, first + moved));
        if (output.offsetMs === offsetMs) continue;
        const saved = await this.#options.save({ ...output, offsetMs });
        this.#outputs.set(id, saved ?? { ...output, offsetMs });
      }
      this.#show({ saving: this.#timer === undefined ? "saved" : "saving" });
    } catch (problem) {
      this.#show({ saving: "failed", problem });
    }
  }

  #show({ saving = this.#view.saving, problem }: { readonly saving?: Saving; readonly problem?: unknown }): void {
    const isChanged = [...this.#first].some(([id, first]) => this.#outputs.get(id)?.offsetMs !== first);
    this.#view = { value: this.#value, saving, problem, isChanged: isChanged || this.#value !== this.#firstValue };
    this.#options.onChange(this.#view);
  }
}
