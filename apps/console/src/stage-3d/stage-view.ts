import type { LitBeams } from "@followspot/lighting";
import type { OrbitMove } from "./orbit-control.ts";
import { PreviewSmoothing } from "./preview-light.ts";
import { QUALITIES, QualityKeeper } from "./quality.ts";
import { StageRenderer } from "./stage-renderer.ts";
import { between, orbited, viewOf, type Orbit, type ViewName } from "./stage-views.ts";

/** Pixels of the screen in one of the page at the most: more is not seen in haze. */
const MOST_PIXEL_RATIO = 1.5;
/** How long the view takes from one place to another. */
const GLIDE_MS = 450;
/** How many times as bright as for a show the room is while people rig. */
const WORK_LIGHT = 5;
/** A context the browser does not give back within this time is lost for good. */
const LOST_FOR_GOOD_MS = 5000;

interface StageViewOptions {
  readonly lit: LitBeams;
  /** The light comes from a feed: see {@link PreviewSmoothing}. */
  readonly isFed?: boolean | undefined;
  /** Motion is unwelcome: light is slow, and views change at once. */
  readonly isCalm: boolean;
  /** Where the stage is seen from at first; the front of the house without it. */
  readonly from?: Orbit;
  /** Step of the quality that is tried first; the best one without it. */
  readonly step?: number;
  /** The room is lit so that people see where things are, as while they rig. */
  readonly hasWorkLight?: boolean;
  /** Asks for another frame, because the view moves. */
  readonly onWant: () => void;
  readonly onLost: () => void;
}

/** One stage on one canvas: its light, its view, and how well it is drawn. */
export class StageView {
  readonly #canvas: HTMLCanvasElement;
  #options: StageViewOptions;
  readonly #smoothing: PreviewSmoothing;
  readonly #keeper: QualityKeeper;
  readonly #scope = new AbortController();
  readonly #renderer: StageRenderer;
  #orbit: Orbit;
  #glide: { readonly from: Orbit; readonly to: Orbit; readonly start: number } | undefined;
  #before = performance.now();
  #lostTimer = 0;
  #isLost = false;

  /** @throws where the browser has no WebGL 2 */
  constructor(canvas: HTMLCanvasElement, options: StageViewOptions) {
    this.#canvas = canvas;
    this.#options = options;
    this.#orbit = options.from ?? viewOf("front", options.lit.beams);
    this.#smoothing = new PreviewSmoothing(options.isCalm, options.isFed);
    this.#renderer = new StageRenderer(canvas, options.lit.beams);
    this.#keeper = new QualityKeeper(options.step);
    this.#renderer.quality = QUALITIES[this.#keeper.step]!;
    if (options.hasWorkLight) this.#renderer.night = WORK_LIGHT;
    const { signal } = this.#scope;
    canvas.addEventListener("webglcontextlost", () => this.#lose(), { signal });
    canvas.addEventListener("webglcontextrestored", () => this.#restore(), { signal });
    this.resize();
  }

  /** Draws the light of a moment. @returns whether light or view go on moving without another one */
  draw(seconds: number, wasSought: boolean): boolean {
    if (this.#isLost) return false;
    const now = performance.now();
    const frameMs = now - this.#before;
    this.#before = now;
    if (wasSought) this.#smoothing.seek(now);
    if (this.#keeper.frame(frameMs)) this.#renderer.quality = QUALITIES[this.#keeper.step]!;
    const { beams, light } = this.#options.lit;
    light(seconds);
    const isSettling = this.#smoothing.smooth(beams.colors, now, Math.min(100, frameMs));
    this.#move(now);
    this.#renderer.draw(beams, this.#orbit, seconds);
    return this.#glide !== undefined || isSettling;
  }

  /** The same lamps, which hang, stand or look elsewhere from now on. */
  place(lit: LitBeams): void {
    this.#options = { ...this.#options, lit };
    this.#renderer.place(lit.beams);
    this.#options.onWant();
  }

  /** From where the stage was drawn last. */
  get seenFrom(): Orbit {
    return this.#orbit;
  }

  look(view: ViewName): void {
    this.#glide = { from: this.#orbit, to: viewOf(view, this.#options.lit.beams), start: performance.now() };
    this.#options.onWant();
  }

  orbit(move: OrbitMove): void {
    this.#glide = undefined;
    this.#orbit = orbited(this.#orbit, move);
    this.#options.onWant();
  }

  /** To the size the canvas has on the page. */
  resize(): void {
    const ratio = Math.min(MOST_PIXEL_RATIO, devicePixelRatio);
    const { clientWidth, clientHeight } = this.#canvas;
    this.#renderer.resize(Math.round(clientWidth * ratio), Math.round(clientHeight * ratio));
    this.#options.onWant();
  }

  close(): void {
    clearTimeout(this.#lostTimer);
    this.#scope.abort();
    this.#renderer.dispose();
  }

  #move(now: number): void {
    if (!this.#glide) return;
    const { from, to, start } = this.#glide;
    const share = this.#options.isCalm ? 1 : Math.min(1, (now - start) / GLIDE_MS);
    this.#orbit = between(from, to, share * share * (3 - 2 * share));
    if (share === 1) this.#glide = undefined;
  }

  /** Three.js asks for the context again, and makes everything anew when it comes. */
  #lose(): void {
    this.#isLost = true;
    this.#lostTimer = window.setTimeout(() => this.#options.onLost(), LOST_FOR_GOOD_MS);
  }

  #restore(): void {
    clearTimeout(this.#lostTimer);
    this.#isLost = false;
    this.#options.onWant();
  }
}
