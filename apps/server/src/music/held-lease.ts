import type { GrantedJob, HeartbeatReply, HeartbeatRequest } from "@followspot/contract";

const HEARTBEAT_MS = 1000;

/** Asks the API; undefined without an answer. */
export type Beat = (request: HeartbeatRequest) => Promise<HeartbeatReply | undefined>;

/**
 * The lease of one granted job, renewed every second until it is released. Two ends are told apart:
 * the API says that the lease is lost, or no answer has come for longer than it lasts.
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

  /** @param onDoubt called once the lease is lost or may have run out */
  constructor(job: GrantedJob, beat: Beat, onDoubt: () => void) {
    this.#job = job;
    this.#beat = beat;
    this.#onDoubt = onDoubt;
    this.#timer = setInterval(() => void this.#renew(), HEARTBEAT_MS);
  }

  /** The API has said so: another worker has the job, or it was deleted, and no report of it is wanted. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** What the next renewal reports. @param progress 0..1 */
  tell(progress: number, note: string): void {
    this.#progress = progress;
    this.#note = note;
  }

  letGo(): void {
    clearInterval(this.#timer);
  }

  async #renew(): Promise<void> {
    const { job_id, lease_token } = this.#job;
    const reply = await this.#beat({ job_id, lease_token, progress: this.#progress, note: this.#note });
    if (reply?.kind === "kept") this.#keptAt = performance.now();
    this.#isLost ||= reply?.kind === "lost";
    // Not renewed for longer than it lasts: another worker may have the job by now.
    const mayHaveRunOut = performance.now() - this.#keptAt > this.#job.lease_seconds * 1000;
    if (this.#isLost || mayHaveRunOut) this.#onDoubt();
  }
}
