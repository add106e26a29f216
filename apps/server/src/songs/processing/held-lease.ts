import type { GrantedJob, HeartbeatReply, HeartbeatRequest } from "@followspot/contract";

const HEARTBEAT_MS = 1000;

/** Renews a lease at the API; undefined without a reply. */
export type Beat = (request: HeartbeatRequest) => Promise<HeartbeatReply | undefined>;

/**
 * The lease of a granted job, renewed every second until it is released. It distinguishes two ends: the API reports the
 * lease as lost, or no reply has arrived for longer than the lease lasts.
 */
export class HeldLease {
  readonly #job: GrantedJob;
  readonly #beat: Beat;
  readonly #timer: NodeJS.Timeout;
  readonly #onDoubt: () => void;
  #progress = 0;
  #note = "";
  #isLost = false;
  #keptAt = performance.now();

  /** @param onDoubt called once the lease is lost or may have expired */
  constructor(job: GrantedJob, beat: Beat, onDoubt: () => void) {
    this.#job = job;
    this.#beat = beat;
    this.#onDoubt = onDoubt;
    this.#timer = setInterval(() => void this.#renew(), HEARTBEAT_MS);
  }

  /**
   * Whether the API reported the lease as lost: another worker has the job or it was deleted, and its outcome is not
   * wanted.
   */
  get isLost(): boolean {
    return this.#isLost;
  }

  /**
   * Sets what the next renewal reports.
   * @param progress 0..1
   */
  tell(progress: number, note: string): void {
    this.#progress = progress;
    this.#note = note;
  }

  letGo(): void {
    clearInterval(this.#timer);
  }

  /** Never rejects. */
  async #renew(): Promise<void> {
    const { job_id, lease_token } = this.#job;
    const beat = { job_id, lease_token, progress: this.#progress, note: this.#note };
    const reply = await this.#beat(beat).catch(() => undefined); // counts as no reply
    if (reply?.kind === "kept") this.#keptAt = performance.now();
    this.#isLost ||= reply?.kind === "lost";
    // Without a renewal for longer than the lease lasts, another worker may have the job.
    const mayHaveRunOut = performance.now() - this.#keptAt > this.#job.lease_seconds * 1000;
    if (this.#isLost || mayHaveRunOut) this.#onDoubt();
  }
}
