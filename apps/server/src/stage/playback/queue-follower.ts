import type { LightingPlan, StageQueue } from "@followspot/contract";
import { monotonicMs } from "../outputs/frame-ring.ts";
import type { Playback } from "./playback.ts";
import { fetchQueue, tellTaken } from "../stage-api.ts";
import type { StageConfig } from "../stage-config.ts";

/** The queue is asked for this often; it rings as well. */
const POLL_MS = 500;
/** As whom the queue has the lights; sockets have UUIDs. */
const OWNER = "queue";

export interface QueueFollowerPorts {
  readonly config: StageConfig;
  readonly playback: Playback;
  readonly fetchPlan: (songId: string) => Promise<LightingPlan | undefined>;
  readonly bind: (plan: LightingPlan) => void;
  /** Draw again, and tell everybody. */
  readonly refresh: () => void;
}

/**
 * Plays what the show queue says, from where it says: nobody has to be there. It owns no state of its own, so that a
 * stage that was started again goes on in the middle of the song. While main-api is away the song plays to its end.
 */
export class QueueFollower {
  readonly #ports: QueueFollowerPorts;
  readonly #timer: NodeJS.Timeout;
  #revision: number | undefined;
  /** The song it has put on the lamps. */
  #songId = "";
  #looking: Promise<void> | undefined;
  #lastError = "";

  constructor(ports: QueueFollowerPorts) {
    this.#ports = ports;
    this.#timer = setInterval(() => void this.look(), POLL_MS);
    void this.look();
  }

  /** Brings the lamps in line with the queue now. Never rejects. */
  async look(): Promise<void> {
    // A ring during a look says that there may be more to see.
    await this.#looking;
    this.#looking ??= this.#follow()
      .then(
        () => (this.#lastError = ""),
        (error: unknown) => {
          // main-api may be restarting; the next round tries again.
          if (String(error) !== this.#lastError) console.error(`stage: queue not read: ${String(error)}`);
          this.#lastError = String(error);
        },
      )
      .then(() => void (this.#looking = undefined));
    await this.#looking;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #follow(): Promise<void> {
    const { config, playback } = this.#ports;
    const asked = monotonicMs();
    const queue = await fetchQueue(config);
    if (queue.revision === this.#revision) {
      if (this.#songId !== "" && !playback.isOwner(OWNER)) await this.#yield();
      return;
    }
    if (queue.song_id === "") this.#end(queue);
    else await this.#play(queue, asked);
    this.#revision = queue.revision;
  }

  async #play(queue: StageQueue, asked: number): Promise<void> {
    const { playback, fetchPlan, bind, refresh } = this.#ports;
    const songId = queue.song_id;
    const { request } = playback.handle(OWNER, songId, { type: "prepare_playback", take_over: true }, monotonicMs());
    if (request.kind !== "load") return;
    const plan = await fetchPlan(songId).catch((error: unknown) => {
      playback.failed(request.ticket);
      throw error;
    });
    if (!playback.awaits(request.ticket)) return;
    this.#songId = songId;
    // A plan that went away meanwhile leaves house light; the queue goes on at the song's end.
    if (plan) bind(plan);
    const now = monotonicMs();
    playback.prepared(request.ticket, now);
    playback.fadeThroughHouse(plan ? queue.duration : 0, queue.fade_seconds);
    playback.handle(OWNER, songId, { type: "play", position: queue.position + (now - asked) / 1000 }, now);
    refresh();
  }

  #end({ house_light }: StageQueue): void {
    const { playback, refresh } = this.#ports;
    if (this.#songId === "") return;
    if (playback.isOwner(OWNER)) {
      playback.handle(OWNER, this.#songId, { type: "stop" }, monotonicMs());
      if (house_light) playback.recover(false);
      refresh();
    }
    this.#songId = "";
  }

  /** A console took the lights over: the queue stops, so that it does not take them back with its next song. */
  async #yield(): Promise<void> {
    const songId = this.#songId;
    await tellTaken(this.#ports.config, songId);
    this.#songId = "";
  }
}
