import type { GroupType, HeardSound, SoundSource, SoundState } from "@followspot/contract";
import { LiveShow, type LivePlan } from "@followspot/lighting";
import type { Log } from "../../platform/process/log.ts";
import type { Lamps, Source } from "../lamps/lamps.ts";
import { drawingOf, type Drawing, type ShowScene } from "../lamps/scene.ts";
import { monotonicMs, TICK_MS } from "../outputs/frame-ring.ts";
import { Ear } from "./ear.ts";
import { SoundClock } from "./sound-clock.ts";
import { DEVICE_RATE, inputOf, SoundDevice, type DeviceName } from "./sound-device.ts";

/**
 * Tempo of the first plan; and the deviation from a plan's tempo (natural logarithm of the ratio), and its duration,
 * that cause a new plan.
 */
const FIRST_BPM = 120;
const OTHER_TEMPO = 0.18;
const OTHER_TEMPO_MS = 8000;
const SURE_PULSE = 0.4;
/** Interval between changes of colors and patterns, ms. */
const RENEW_MS = 180_000;
/** Time without a result after which sound counts as missing, ms. */
const HEARD_MS = 500;

export interface LiveSoundPorts {
  readonly lamps: Lamps;
  readonly log: Log;
  readonly groups: () => readonly { readonly id: string; readonly type: GroupType }[];
  /** Renders again: it gained or lost the fixtures, or has another plan. */
  readonly refresh: () => void;
  /** Whether a look is held, which new colors would break. */
  readonly isHeld: () => boolean;
  /** Renders at once, because of an onset or a new section. */
  readonly redraw: () => void;
  /** Releases the control because live sound has failed. */
  readonly giveUp: () => void;
  readonly device: DeviceName | undefined;
  readonly ffmpeg: string;
  /** Replaces planned shows in tests. */
  readonly plan: LivePlan | undefined;
}

const NOTHING: SoundState["heard"] = { isSilent: true, level: 0, energy: 0 };

/** Holder used by live sound; permissions are checked at the desk. */
const HOLDER = { person: "desk", page: "sound", connection: "sound" };

/**
 * Live sound as a source: audio is analyzed, and a show follows the result. It requests the fixtures at `start`, owns
 * them once its first plan has arrived, and releases them at `stop`.
 */
export class LiveSound implements Source {
  readonly kind = "sound";
  readonly holder = HOLDER;
  readonly isHeld = true;
  readonly #ports: LiveSoundPorts;
  #source: SoundSource | undefined;
  #ear: Ear | undefined;
  #device: SoundDevice | undefined;
  #clock = new SoundClock();
  #sampleRate = DEVICE_RATE;
  #samples = 0;
  #latencyMs = 0;
  #show: LiveShow | undefined;
  #drawing: Drawing | undefined;
  #next: LivePlan | undefined;
  #isPlanning = false;
  #seed = Date.now() % 1_000_000;
  #plannedMs = 0;
  #otherTempoMs: number | undefined;
  #heard: HeardSound | undefined;
  #heardMs = Number.NEGATIVE_INFINITY;
  #problem = "";

  constructor(ports: LiveSoundPorts) {
    this.#ports = ports;
  }

  /** Origin of the sound; undefined while live sound is off. */
  get source(): SoundSource | undefined {
    return this.#source;
  }

  get hasDevice(): boolean {
    return this.#ports.device !== undefined;
  }

  get problem(): string {
    return this.#problem;
  }

  get isHeard(): boolean {
    return monotonicMs() - this.#heardMs < HEARD_MS;
  }

  get heard(): SoundState["heard"] {
    if (!this.#heard || !this.isHeard) return NOTHING;
    const { isSilent, level, energy, pulse } = this.#heard;
    return { isSilent, level, energy, ...(pulse && { pulse }) };
  }

  get id(): string {
    return this.#source ?? "";
  }

  get drawing(): Drawing | undefined {
    return this.#drawing;
  }

  isRunningAt(): boolean {
    return true;
  }

  /** Handles a song that took over the fixtures. */
  replaced(): void {
    this.#ports.giveUp();
  }

  /** Switches to a microphone or the device as the sound source; a running show continues. */
  start(source: SoundSource, sampleRate = DEVICE_RATE, latencyMs = 0): void {
    const { device, ffmpeg, lamps } = this.#ports;
    this.#device?.close();
    this.#device = undefined;
    this.#source = source;
    this.#problem = "";
    this.#open(sampleRate, latencyMs);
    lamps.request(this, monotonicMs());
    if (this.#show) lamps.ready(this);
    else this.#plan(FIRST_BPM);
    if (source !== "device" || !device) return;
    this.#device = new SoundDevice(ffmpeg, inputOf(device), {
      onSound: (samples) => this.hear(samples),
      onProblem: (problem) => (this.#problem = problem),
    });
  }

  /** Releases the fixtures to the source underneath. */
  stop(): void {
    if (!this.#source) return;
    this.#source = undefined;
    this.close();
    this.#ports.lamps.release(this);
    this.#ports.refresh();
  }

  /** Analyzes the next samples of the active source. */
  hear(samples: Int16Array): void {
    if (!this.#source) return;
    this.#samples += samples.length;
    this.#clock.arrived(this.#samples / this.#sampleRate, monotonicMs() - this.#latencyMs);
    this.#ear?.hear(samples);
  }

  sceneAt(ms: number): ShowScene | undefined {
    if (!this.#show) return undefined;
    // A frame lasts a whole tick. Rendered for its middle, beats appear early as often as late.
    const live = this.#show.at(ms + TICK_MS / 2);
    const houseMix = this.#show.idleAt(ms);
    return { kind: "show", position: live.position, allowsStrobe: true, houseMix, master: 1, live };
  }

  close(): void {
    this.#device?.close();
    this.#device = undefined;
    this.#ear?.close();
    this.#ear = undefined;
    this.#show = undefined;
    this.#drawing = undefined;
    this.#heard = undefined;
    this.#next = undefined;
    this.#isPlanning = false;
  }

  #open(sampleRate: number, latencyMs: number): void {
    this.#ear ??= new Ear({
      onHeard: (heard) => this.#take(heard),
      onPlan: (plan) => this.#planned(plan),
      onEnd: (why) => {
        this.#ports.log.error(`live sound: the ear ended: ${why}`);
        this.#ear = undefined;
        this.#ports.giveUp();
      },
    });
    this.#ear.open(sampleRate);
    this.#clock = new SoundClock();
    this.#sampleRate = sampleRate;
    this.#samples = 0;
    this.#latencyMs = latencyMs;
  }

  #take(heard: HeardSound): void {
    const now = monotonicMs();
    this.#heard = heard;
    this.#heardMs = now;
    const show = this.#show;
    if (!show || !this.#source) return;
    const ms = this.#clock.msOf(heard.seconds);
    const isBorder = show.hear(heard, ms);
    this.#renew(heard, now);
    if (this.#next && (isBorder || show.idleAt(ms) === 1) && !this.#ports.isHeld()) {
      show.rePlan(this.#next);
      this.#draw(this.#next);
      this.#next = undefined;
      this.#ports.refresh();
    }
    if (isBorder || show.struckMs === ms) this.#ports.redraw();
  }

  /** Requests a new plan: with other colors every few minutes, with the same colors if the tempo has changed. */
  #renew({ pulse }: HeardSound, now: number): void {
    if (this.#isPlanning || this.#next || !this.#show) return;
    const { bpm, beatsPerBar } = this.#show.plan;
    const isOther =
      pulse !== undefined &&
      pulse.confidence >= SURE_PULSE &&
      (Math.abs(Math.log(pulse.bpm / bpm)) > OTHER_TEMPO || pulse.beatsPerBar !== beatsPerBar);
    this.#otherTempoMs = isOther ? (this.#otherTempoMs ?? now) : undefined;
    const isOld = now - this.#plannedMs > RENEW_MS;
    if (isOld) this.#seed++;
    if (isOld || (this.#otherTempoMs !== undefined && now - this.#otherTempoMs > OTHER_TEMPO_MS)) {
      this.#plan(isOther ? pulse.bpm : bpm, isOther ? pulse.beatsPerBar : beatsPerBar);
    }
  }

  #plan(bpm: number, beatsPerBar = 4): void {
    if (this.#isPlanning) return;
    if (this.#ports.plan) return this.#planned(this.#ports.plan);
    this.#isPlanning = true;
    this.#otherTempoMs = undefined;
    const groups = this.#ports.groups().map(({ id, type }) => ({ id, type }));
    this.#ear?.plan({ bpm, beatsPerBar, groups, seed: this.#seed });
  }

  #planned(plan: LivePlan): void {
    this.#isPlanning = false;
    this.#plannedMs = monotonicMs();
    if (this.#show) {
      this.#next = plan;
      return;
    }
    this.#show = new LiveShow(plan);
    this.#draw(plan);
    this.#ports.lamps.ready(this);
    this.#ports.refresh();
  }

  #draw({ plan }: LivePlan): void {
    this.#drawing = drawingOf(plan, { isLive: true });
  }
}
