import type { HeardPosition, LightingPlan, StageQueue } from "@followspot/contract";
import { emptyPlan } from "@followspot/lighting";
import type { Log } from "../../platform/process/log.ts";
import type { Lamps } from "../lamps/lamps.ts";
import { monotonicMs } from "../outputs/frame-ring.ts";
import { fetchQueue, tellTaken } from "../stage-api.ts";
import type { StageConfig } from "../stage-config.ts";
import { SongShow } from "./song-show.ts";

/** Interval between polls of the queue, ms; changes are notified as well. */
const POLL_MS = 500;
/** Drift from the sound above which frames rendered ahead are rendered again, ms. */
const DRAWN_ANEW_MS = 2;
/** Holder of the lights for the queue; IDs of users have another form. */
const HOLDER = { person: "queue", page: "queue", connection: "queue" };

export interface QueueFollowerPorts {
  readonly config: StageConfig;
  readonly log: Log;
  readonly lamps: Lamps;
  readonly fetchPlan: (songId: string) => Promise<LightingPlan | undefined>;
  /** Renders again and notifies all consoles. */
  readonly refresh: () => void;
}

/**
 * Plays the show queue at its position; no browser has to be open. It has no state of its own, so a restarted stage
 * continues in the middle of the song. While main-api is unavailable, the song plays to its end.
 */
export class QueueFollower {
  readonly #ports: QueueFollowerPorts;
  readonly #timer: NodeJS.Timeout;
  #revision: number | undefined;
  /** Show that it has put on stage, and the turn of the queue that it belongs to. */
  #show: SongShow | undefined;
  #turn = -1;
  /** A console took over the lights, and main-api does not know yet. */
  #isTaken = false;
  #looking: Promise<void> | undefined;
  #lastError = "";

  constructor(ports: QueueFollowerPorts) {
    this.#ports = ports;
    this.#timer = setInterval(() => void this.look(), POLL_MS);
    void this.look();
  }

  /** Syncs the stage with the queue now. Never rejects. */
  async look(): Promise<void> {
    // A notification during a sync may mean another change.
    await this.#looking;
    this.#looking ??= this.#follow()
      .then(
        () => (this.#lastError = ""),
        (error: unknown) => {
          // main-api may be restarting; the next poll tries again.
          if (String(error) !== this.#lastError) this.#ports.log.warn(`the show queue is not read: ${String(error)}`);
          this.#lastError = String(error);
        },
      )
      .then(() => void (this.#looking = undefined));
    await this.#looking;
  }

  /**
   * Corrects the light to the sound position of the active player.
   * @returns light minus sound, ms, before the correction; undefined if the stage shows something else
   */
  hear({ turn, position, age_ms }: HeardPosition): number | undefined {
    if (!this.#show || turn !== this.#turn) return undefined;
    const answer = this.#show.follow({ type: "sync", position: position + age_ms / 1000, sent_at: 0 }, monotonicMs());
    if (answer?.type !== "synced") return undefined;
    if (Math.abs(answer.drift_ms) > DRAWN_ANEW_MS) this.#ports.refresh();
    return answer.drift_ms;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #follow(): Promise<void> {
    const { config } = this.#ports;
    const asked = monotonicMs();
    const queue = await fetchQueue(config);
    if (this.#isTaken) return this.#yield(queue);
    if (queue.revision === this.#revision) return;
    if (queue.song_id === "") this.#end(queue);
    else if (this.#show && queue.turn === this.#turn) this.#move(this.#show, queue, asked);
    else await this.#play(queue, asked);
    this.#revision = queue.revision;
  }

  /** Applies a pause, resume or seek of the same song. */
  #move(show: SongShow, queue: StageQueue, asked: number): void {
    follow(show, queue, asked);
    this.#ports.refresh();
  }

  async #play(queue: StageQueue, asked: number): Promise<void> {
    const { lamps, fetchPlan, refresh } = this.#ports;
    const show = new SongShow(queue.song_id, HOLDER, { kind: "queue", onReplaced: () => this.#lose(show) });
    lamps.request(show, monotonicMs());
    const plan = await fetchPlan(show.id).catch((error: unknown) => {
      lamps.withdraw(show);
      throw error;
    });
    // A plan that was deleted leaves the default look; the queue continues at the song's end.
    show.setPlan(plan ?? emptyPlan(["all"]));
    show.fadeThroughHouse(plan ? queue.duration : 0, queue.fade_seconds);
    follow(show, queue, asked);
    this.#show = show;
    this.#turn = queue.turn;
    // A console may have taken over the lights while the plan was fetched.
    if (!lamps.ready(show)) this.#lose(show);
    refresh();
  }

  /** Handles a stopped queue, or the end of the default look after the last song. */
  #end({ house_light }: StageQueue): void {
    const { lamps, refresh } = this.#ports;
    if (this.#show) {
      lamps.release(this.#show);
      if (house_light) lamps.rest("house");
      this.#show = undefined;
    } else if (this.#revision !== undefined && !house_light) lamps.rest("dark");
    refresh();
  }

  #lose(show: SongShow): void {
    if (show !== this.#show) return; // replaced by its own next song
    this.#show = undefined;
    this.#isTaken = true;
    void this.look();
  }

  /** Stops the queue after a console took over the lights, so that its next song does not take them back. */
  async #yield(queue: StageQueue): Promise<void> {
    const { config } = this.#ports;
    // The queue may have started its next song before it was notified.
    for (let told = queue; told.song_id !== ""; told = await fetchQueue(config)) await tellTaken(config, told.song_id);
    this.#isTaken = false;
  }
}

/** @param asked time of the queue request, in `monotonicMs` */
function follow(show: SongShow, { is_paused, position }: StageQueue, asked: number): void {
  const now = monotonicMs();
  if (is_paused) show.follow({ type: "pause", position: Math.max(0, position) }, now);
  else show.follow({ type: "play", position: position + (now - asked) / 1000 }, now);
}
