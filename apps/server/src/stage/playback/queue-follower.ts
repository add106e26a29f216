import type { HeardPosition, LightingPlan, StageQueue } from "@followspot/contract";
import { emptyPlan } from "@followspot/lighting";
import type { Log } from "../../platform/log.ts";
import type { Lamps } from "../lamps/lamps.ts";
import { monotonicMs } from "../outputs/frame-ring.ts";
import { fetchQueue, tellTaken } from "../stage-api.ts";
import type { StageConfig } from "../stage-config.ts";
import { SongShow } from "./song-show.ts";

/** The queue is asked for this often; it rings as well. */
const POLL_MS = 500;
/** Light that was drawn ahead this far from the sound is drawn again. */
const DRAWN_ANEW_MS = 2;
/** As whom the queue has the lights; people have ids of another form. */
const HOLDER = { person: "queue", page: "queue", connection: "queue" };

export interface QueueFollowerPorts {
  readonly config: StageConfig;
  readonly log: Log;
  readonly lamps: Lamps;
  readonly fetchPlan: (songId: string) => Promise<LightingPlan | undefined>;
  /** Draw again, and tell all consoles. */
  readonly refresh: () => void;
}

/**
 * Plays what the show queue says, from where it says: no browser has to be open. It owns no state of its own, so that a
 * stage that was started again goes on in the middle of the song. While main-api is away the song plays to its end.
 */
export class QueueFollower {
  readonly #ports: QueueFollowerPorts;
  readonly #timer: NodeJS.Timeout;
  #revision: number | undefined;
  /** What it has put on the lamps, and of which turn. */
  #show: SongShow | undefined;
  #turn = -1;
  /** A console took the lamps over, and main-api has not heard of it yet. */
  #isTaken = false;
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
          if (String(error) !== this.#lastError) this.#ports.log.warn(`the show queue is not read: ${String(error)}`);
          this.#lastError = String(error);
        },
      )
      .then(() => void (this.#looking = undefined));
    await this.#looking;
  }

  /**
   * The player at the PA leads: light takes its place from the sound.
   * @returns lamps minus sound, ms, before they follow; undefined where the lamps show something else
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

  /** The same song was paused, goes on, or is somewhere else. */
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
    // A plan that went away meanwhile leaves house light; the queue goes on at the song's end.
    show.setPlan(plan ?? emptyPlan(["all"]));
    show.fadeThroughHouse(plan ? queue.duration : 0, queue.fade_seconds);
    follow(show, queue, asked);
    this.#show = show;
    this.#turn = queue.turn;
    // A console may have taken the lamps while the plan was on its way.
    if (!lamps.ready(show)) this.#lose(show);
    refresh();
  }

  /** The queue stopped, or the default look that stayed after the last song ends. */
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
    if (show !== this.#show) return; // its own next song took the lamps
    this.#show = undefined;
    this.#isTaken = true;
    void this.look();
  }

  /** A console took the lights over: the queue stops, so that it does not take them back with its next song. */
  async #yield(queue: StageQueue): Promise<void> {
    const { config } = this.#ports;
    // The queue may have started its next song before it heard of it.
    for (let told = queue; told.song_id !== ""; told = await fetchQueue(config)) await tellTaken(config, told.song_id);
    this.#isTaken = false;
  }
}

/** @param asked when the queue was asked for, in `monotonicMs` */
function follow(show: SongShow, { is_paused, position }: StageQueue, asked: number): void {
  const now = monotonicMs();
  if (is_paused) show.follow({ type: "pause", position: Math.max(0, position) }, now);
  else show.follow({ type: "play", position: position + (now - asked) / 1000 }, now);
}
