import type { StageRig } from "@followspot/contract";
import type { Log } from "../platform/process/log.ts";
import { fetchRig, fetchRigRevision } from "./stage-api.ts";
import type { StageConfig } from "./stage-config.ts";

/** Interval between polls of main-api for the revision of the rig and its outputs, ms. */
const POLL_MS = 500;

/** Keeps the rig up to date, also during a show. While main-api is unavailable, the last known rig stays. */
export class RigFeed {
  readonly #config: StageConfig;
  readonly #log: Log;
  readonly #onChange: (rig: StageRig) => void;
  readonly #timer: NodeJS.Timeout;
  #revision: number | undefined;
  #asked = 0;
  #applied = 0;
  #isPolling = false;
  #lastError = "";

  constructor(config: StageConfig, log: Log, onChange: (rig: StageRig) => void) {
    this.#config = config;
    this.#log = log;
    this.#onChange = onChange;
    this.#timer = setInterval(() => void this.#poll(), POLL_MS);
    void this.#poll();
  }

  /** Updates the rig now. @throws Error if main-api does not respond */
  async refresh(): Promise<void> {
    const turn = ++this.#asked;
    const rig = await fetchRig(this.#config);
    if (turn < this.#applied) return; // a later request was answered first
    this.#applied = turn;
    if (rig.revision === this.#revision) return;
    this.#onChange(rig);
    this.#revision = rig.revision;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    try {
      if ((await fetchRigRevision(this.#config)) !== this.#revision) await this.refresh();
      this.#lastError = "";
    } catch (error) {
      // main-api may be restarting; the next poll tries again.
      if (String(error) !== this.#lastError) this.#log.warn(`the rig is not read: ${String(error)}`);
      this.#lastError = String(error);
    } finally {
      this.#isPolling = false;
    }
  }
}
