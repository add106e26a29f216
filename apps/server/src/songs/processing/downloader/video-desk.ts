import { subjects, type VideosReply, type VideosRequest } from "@followspot/contract";
import type { Msg, NatsConnection, Subscription } from "@nats-io/nats-core";
import { inBackground } from "../../../platform/process/in-background.ts";
import { StepError } from "../step-error.ts";
import type { VideoSiteSettings } from "../video-site.ts";
import { listVideos } from "./video-lists.ts";

/** Longest time from request to reply, ms. */
export const ANSWER_MS = 20_000;
const AT_ONCE = 2;
/** Longest queue; further requests would only time out. */
const MAX_WAITING = 8;

/**
 * Answers searches and playlist requests on a worker. Each request is answered by one worker; each worker runs two at a
 * time.
 */
export class VideoDesk {
  readonly #connection: NatsConnection;
  readonly #site: VideoSiteSettings;
  readonly #warn: (message: string) => void;
  readonly #waiting: (() => void)[] = [];
  readonly #closing = new AbortController();
  #subscription: Subscription | undefined;
  #atWork = 0;

  constructor(connection: NatsConnection, site: VideoSiteSettings, warn: (message: string) => void) {
    this.#connection = connection;
    this.#site = site;
    this.#warn = warn;
  }

  start(): void {
    const callback = (error: Error | null, message: Msg) => {
      if (!error) inBackground("answering a search", this.#reply(message), this.#warn);
    };
    this.#subscription = this.#connection.subscribe(subjects.videos, { queue: "workers", callback });
  }

  close(): void {
    this.#subscription?.unsubscribe();
    this.#closing.abort(new StepError("The worker is being stopped. Try again.", true));
  }

  /** @throws Error if the connection is closed before the response */
  async #reply(message: Msg): Promise<void> {
    message.respond(JSON.stringify(await this.#answer(message)));
  }

  async #answer(message: Msg): Promise<VideosReply> {
    const inTime = AbortSignal.timeout(ANSWER_MS);
    const signal = AbortSignal.any([inTime, this.#closing.signal]);
    if (this.#waiting.length >= MAX_WAITING)
      return { kind: "failed", reason: "Too many searches wait already. Try again in a minute.", retry: true };
    let isFetching = false;
    try {
      await this.#turn(signal);
      try {
        const onFetch = () => (isFetching = true);
        const found = await this.#site.downloader.use({ signal, onFetch }, (program) => {
          isFetching = false;
          return listVideos(program, message.json<VideosRequest>(), this.#site, signal);
        });
        return { kind: "found", found };
      } finally {
        this.#atWork--;
        this.#waiting.shift()?.();
      }
    } catch (error) {
      if (inTime.aborted) return { kind: "failed", reason: isFetching ? BEING_FETCHED : TOO_SLOW, retry: true };
      if (error instanceof StepError) return { kind: "failed", reason: error.message, retry: error.retry };
      this.#warn(`a search failed: ${(error as Error).stack ?? String(error)}`);
      return {
        kind: "failed",
        reason: "The search failed for a reason we did not foresee; the server's log has it.",
        retry: false,
      };
    }
  }

  /** Waits until fewer than {@link AT_ONCE} requests are running, then occupies one slot. */
  async #turn(signal: AbortSignal): Promise<void> {
    if (this.#atWork >= AT_ONCE) {
      await new Promise<void>((resolve, reject) => {
        const go = () => resolve();
        this.#waiting.push(go);
        signal.addEventListener("abort", () => {
          const place = this.#waiting.indexOf(go);
          if (place >= 0) this.#waiting.splice(place, 1);
          reject(signal.reason as Error);
        });
      });
    }
    this.#atWork++;
  }
}

const BEING_FETCHED = "The downloader is being fetched first. Search again in a minute.";
const TOO_SLOW = "The video site did not answer within 20 seconds. Try again, or paste the link.";
