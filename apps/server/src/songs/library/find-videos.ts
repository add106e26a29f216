import { subjects, type FoundVideos, type VideosReply, type VideosRequest } from "@followspot/contract";
import { NoRespondersError, RequestError, type NatsConnection } from "@nats-io/nats-core";
import { conflict, unavailable } from "../../platform/errors.ts";

/** Longer than a worker takes to answer or to report a failure, ms. */
const REQUEST_MS = 25_000;
const KEPT_MS = 10 * 60_000;
const MAX_KEPT = 200;

const NO_WORKER = "No worker is running, so the video site cannot be asked. Start one, or wait until it is back.";

/**
 * Asks workers for searches and playlists of the video site. Answers are cached for ten minutes; identical concurrent
 * questions share one request.
 */
export class FindVideos {
  readonly #connection: () => NatsConnection | undefined;
  readonly #now: () => number;
  /** Cached answers by question, oldest first. */
  readonly #kept = new Map<string, { readonly at: number; readonly found: Promise<FoundVideos> }>();

  /** @param connection undefined until the broker has connected for the first time */
  constructor(connection: () => NatsConnection | undefined, now = () => performance.now()) {
    this.#connection = connection;
    this.#now = now;
  }

  /** @throws ConnectError with the reason if no answer is available */
  find(request: VideosRequest): Promise<FoundVideos> {
    const key = JSON.stringify(request);
    const kept = this.#kept.get(key);
    if (kept && this.#now() - kept.at < KEPT_MS) return kept.found;
    const found = this.#ask(request);
    this.#kept.delete(key);
    this.#kept.set(key, { at: this.#now(), found });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    // Failures are not cached.
    found.catch(() => this.#kept.get(key)?.found === found && this.#kept.delete(key));
    return found;
  }

  async #ask(request: VideosRequest): Promise<FoundVideos> {
    const connection = this.#connection();
    if (!connection || connection.isClosed())
      throw unavailable("The message broker does not answer. Make sure NATS is running.");
    const reply = await connection
      .request(subjects.videos, JSON.stringify(request), { timeout: REQUEST_MS })
      .then((answer) => answer.json<VideosReply>())
      .catch((error: unknown) => {
        const isUnanswered =
          error instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders());
        throw unavailable(isUnanswered ? NO_WORKER : "No worker answered in time. Try again.", error);
      });
    if (reply.kind === "found") return reply.found;
    throw reply.retry ? unavailable(reply.reason) : conflict(reply.reason);
  }
}
