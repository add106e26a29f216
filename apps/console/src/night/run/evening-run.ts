import type { Seconds } from "@followspot/contract";
import { newKey } from "../../lib/new-key.ts";
import { socketUrl } from "../../lib/socket-url.ts";
import { createStore, type Store } from "../../lib/store.ts";
import type { PreviewClock } from "../../stage-3d/preview-clock.ts";
import { PlaybackClock } from "../../visualizer/player/playback-clock.ts";
import { StageLink, type StageState } from "../../visualizer/player/stage-link.ts";
import { placeAt, type EveningMap, type EveningPlace } from "./evening-map.ts";

/** Seconds of the evening in a second. */
export const SPEEDS = [1, 4, 10, 60] as const;
export type RunSpeed = (typeof SPEEDS)[number];

/** Faster than this the light of a song would only flicker. It stands then, and goes on in steps. */
export const FASTEST_LIVE = 4;
/** Two looks a second are within every limit for flashes. */
const STEP_MS = 500;

export interface RunView {
  readonly isPlaying: boolean;
  readonly speed: RunSpeed;
  /** Where the evening is, ms since 1970; renewed twice a second while it runs. */
  readonly at: number;
  readonly place: EveningPlace;
  /** What the lamps do; undefined while they are left alone. */
  readonly lamps: StageState | undefined;
}

export interface RunPorts {
  readonly now: () => number;
  /** Calls twice a second. @returns ends it */
  readonly every: (ms: number, tick: () => void) => () => void;
  readonly requestFrame: (draw: () => void) => void;
  readonly connect?: (url: string) => WebSocket;
}

const PAGE: RunPorts = {
  now: () => performance.now(),
  every: (ms, tick) => {
    const timer = setInterval(tick, ms);
    return () => clearInterval(timer);
  },
  requestFrame: (draw) => requestAnimationFrame(draw),
};

/**
 * An evening that is walked through without sound, up to sixty times as fast as it will be: where it is, the song time a
 * preview draws, and, if a person wants it, the lamps. Open until {@link close}.
 */
export class EveningRun implements PreviewClock {
  readonly view: Store<RunView>;
  readonly #map: EveningMap;
  readonly #ports: RunPorts;
  /** Seconds since the evening began. */
  readonly #clock = new PlaybackClock();
  /** One page to the stage, whatever song it shows. */
  readonly #page = newKey();
  readonly #listeners = new Set<(seconds: number, wasSought: boolean) => void>();
  #endTicks: (() => void) | undefined;
  #isFrameAsked = false;
  #wasSought = false;
  /** The place that is shown: the evening's own, or the place of the last step. */
  #shown: EveningPlace;
  #link: { readonly songId: string; readonly stage: StageLink } | undefined;

  constructor(map: EveningMap, ports: Partial<RunPorts> = {}) {
    this.#map = map;
    this.#ports = { ...PAGE, ...ports };
    this.#shown = placeAt(map, map.from);
    this.view = createStore<RunView>({
      isPlaying: false,
      speed: 1,
      at: map.from,
      place: this.#shown,
      lamps: undefined,
    });
  }

  get at(): number {
    return Math.min(this.#map.to, this.#map.from + this.#clock.timeAt(this.#ports.now()) * 1000);
  }

  play(): void {
    if (this.view.get().isPlaying) return;
    if (this.at >= this.#map.to) this.seek(this.#map.from);
    this.#clock.run(this.#ports.now());
    this.#change({ isPlaying: true });
    this.#endTicks = this.#ports.every(STEP_MS, () => this.#tick());
    this.#tick();
    this.#link?.stage.play();
  }

  pause(): void {
    if (!this.view.get().isPlaying) return;
    this.#clock.hold(this.#ports.now());
    this.#endTicks?.();
    this.#endTicks = undefined;
    this.#change({ isPlaying: false });
    this.#tick();
    this.#link?.stage.play();
  }

  /** @param ms since 1970 */
  seek(ms: number): void {
    const within = Math.min(this.#map.to, Math.max(this.#map.from, ms));
    this.#clock.seek((within - this.#map.from) / 1000, this.#ports.now());
    this.#tick(true);
  }

  setSpeed(speed: RunSpeed): void {
    this.#clock.setRate(speed, this.#ports.now());
    this.#change({ speed });
    this.#tick();
    this.#link?.stage.play();
  }

  /** Switches on or off whether the lamps show the evening. */
  lightLamps(isOn: boolean): void {
    if (isOn) {
      this.#change({ lamps: { kind: "offline" } });
      this.#tick();
      return;
    }
    this.#link?.stage.end();
    this.#link = undefined;
    this.#change({ lamps: undefined });
  }

  /** Takes the lamps from the show that has them. */
  takeOver(): void {
    this.#link?.stage.takeOver();
  }

  /** Stands, and leaves the lamps alone; a page that comes back goes on from here. */
  close(): void {
    this.pause();
    this.lightLamps(false);
  }

  readonly onFrame = (draw: (seconds: number, wasSought: boolean) => void): (() => void) => {
    this.#listeners.add(draw);
    this.redraw();
    return () => this.#listeners.delete(draw);
  };

  readonly redraw = (): void => {
    if (this.#isFrameAsked) return;
    this.#isFrameAsked = true;
    this.#ports.requestFrame(() => {
      this.#isFrameAsked = false;
      this.#draw();
    });
  };

  /** Song seconds in a second of the light that is shown: none while it stands, or goes on in steps. */
  get #rate(): number {
    const { isPlaying, speed } = this.view.get();
    return isPlaying && speed <= FASTEST_LIVE ? speed : 0;
  }

  /** Where the song is that is shown. */
  get #position(): Seconds {
    const { song, position } = this.#shown;
    if (this.#rate === 0) return position;
    const now = placeAt(this.#map, this.at);
    return now.song === song ? now.position : (song?.seconds ?? 0);
  }

  #draw(): void {
    const isRunning = this.#rate > 0;
    if (isRunning && placeAt(this.#map, this.at).song !== this.#shown.song) this.#tick();
    const wasSought = this.#wasSought;
    this.#wasSought = false;
    const seconds = this.#position;
    for (const draw of this.#listeners) draw(seconds, wasSought);
    if (isRunning) this.redraw();
  }

  #tick(wasSought = false): void {
    const { at } = this;
    const { song } = this.#shown;
    this.#shown = placeAt(this.#map, at);
    this.#change({ at, place: this.#shown });
    // The same song may be in an evening twice: it begins anew.
    const isElsewhere = wasSought || song !== this.#shown.song;
    this.#followOnLamps(isElsewhere);
    this.#wasSought ||= isElsewhere;
    this.redraw();
    if (at >= this.#map.to && this.view.get().isPlaying) this.pause();
  }

  /** The song of the evening is on the lamps; while there is none they have their idle light. */
  #followOnLamps(isElsewhere: boolean): void {
    if (!this.view.get().lamps) return;
    const songId = this.#shown.song?.songId;
    if (songId !== this.#link?.songId) {
      const before = this.#link;
      this.#link = songId === undefined ? undefined : { songId, stage: this.#open(songId) };
      // The next song takes the lamps when its show is there: the one before stays until then.
      if (this.#link) before?.stage.close();
      else before?.stage.end();
      if (!this.#link) this.#change({ lamps: { kind: "offline" } });
    } else if (isElsewhere || this.#rate === 0) this.#link?.stage.seek(this.#position);
  }

  #open(songId: string): StageLink {
    const stage: StageLink = new StageLink({
      url: socketUrl(`/lights/playback/${encodeURIComponent(songId)}`),
      page: this.#page,
      keepsShow: true,
      position: () => this.#position,
      rate: () => this.#rate,
      onChange: (state) => this.#link?.stage === stage && this.#change({ lamps: state }),
      now: this.#ports.now,
      ...(this.#ports.connect && { connect: this.#ports.connect }),
    });
    stage.open();
    // Also where it stands: at a rate of nothing.
    stage.play();
    return stage;
  }

  #change(change: Partial<RunView>): void {
    this.view.set({ ...this.view.get(), ...change });
  }
}
