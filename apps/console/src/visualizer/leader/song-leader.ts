import type { Seconds } from "@followspot/contract";
import {
  Chase,
  LinearTimeCode,
  MidiClock,
  MidiTimeCode,
  parseTimeCode,
  secondsOf,
  timeCodeText,
  type LeaderMove,
  type LeaderState,
  type SettableRate,
  type TimeCode,
} from "@followspot/lighting";
import { askForMidi, noMidi } from "../../lib/midi-access.ts";
import {
  noSound,
  openSoundInput,
  soundInputs,
  type InputName,
  type SoundInput,
} from "../../sound-input/sound-input.ts";
import type { SongPlayer } from "../player/song-player.ts";
import type { LeaderKind } from "./leader-settings.ts";
import { MidiLeader, type LeaderPorts } from "./midi-leader.ts";

export type OutsideLeader = Exclude<LeaderKind, "player">;

/** State of the input. `asleep`: the browser requires a click first. `unplugged`: the input was disconnected. */
export type InputState = "opening" | "open" | "asleep" | "unplugged" | "missing" | "denied";

/** State of a leader, as the page shows it. */
export interface LeaderView {
  readonly inputState: InputState;
  readonly inputs: readonly InputName[];
  readonly state: LeaderState;
  /** Last received time code. */
  readonly code: string | undefined;
  /** Song seconds per second. */
  readonly rate: number;
  /** Tempo of a MIDI clock, BPM. */
  readonly tempo: number | undefined;
  /** Audio level, 0..1; undefined without audio input. */
  readonly level: number | undefined;
  /** Whether system exclusive messages are received, too. */
  readonly hearsJumps: boolean;
}

export const CLOSED_VIEW: LeaderView = {
  inputState: "opening",
  inputs: [],
  state: "waiting",
  code: undefined,
  rate: 1,
  tempo: undefined,
  level: undefined,
  hearsJumps: false,
};

const TURN_MS = 50;
/** Number of turns between two updates of the view. */
const TURNS_PER_VIEW = 4;

export interface SongLeaderOptions {
  readonly kind: OutsideLeader;
  readonly player: SongPlayer;
  readonly duration: Seconds;
  /** Beats of the song, which a MIDI clock counts. */
  readonly beats: readonly Seconds[];
  /** MIDI input by name, sound input by ID; empty for any. */
  readonly input: string;
  /** Frame rate of time code; undefined to detect it. */
  readonly frameRate: SettableRate | undefined;
  /** Time code at which the song starts. */
  readonly start: string;
  readonly onView: (view: LeaderView) => void;
}

/** Opens an external leader that drives the player, from {@link open} to {@link close}. */
export class SongLeader {
  readonly #options: SongLeaderOptions;
  readonly #chase: Chase;
  #start: string;
  #view = CLOSED_VIEW;
  #code: TimeCode | undefined;
  #tempo: number | undefined;
  #last: LeaderMove | undefined;
  #midi: MidiLeader<MidiTimeCode | MidiClock> | undefined;
  #sound: SoundInput | undefined;
  #linear: LinearTimeCode[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;
  #turns = 0;
  /** Number of calls of open(); a result of an earlier call is ignored. */
  #opening = 0;

  constructor(options: SongLeaderOptions) {
    this.#options = options;
    this.#start = options.start;
    this.#chase = new Chase(options.duration, options.player.time());
  }

  /**
   * Opens the input.
   * @param sysex whether to receive jumps of a deck at rest; the browser may request permission for that
   */
  async open(sysex = false): Promise<void> {
    const { player, kind } = this.#options;
    this.#closeInputs();
    const turn = ++this.#opening;
    player.follow(this.#chase);
    this.#timer ??= setInterval(() => this.#turn(), TURN_MS);
    this.#show({ inputState: "opening" });
    try {
      if (kind === "ltc") await this.#openSound(turn);
      else await this.#openMidi(turn, kind, sysex);
    } catch (error) {
      if (turn === this.#opening) this.#show({ inputState: kind === "ltc" ? noSound(error) : noMidi(error) });
    }
  }

  close(): void {
    this.#opening++;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#closeInputs();
    this.#options.player.follow(undefined);
  }

  /** Starts audio input after the user clicked on the page. */
  async wake(): Promise<void> {
    await this.#sound?.wake();
    this.#show({ inputState: "open" });
  }

  setStart(start: string): void {
    this.#start = start;
    // A deck at rest sends nothing more, so its last message is applied with the new start.
    const last = this.#last;
    if (last && last.kind !== "stands" && this.#chase.stateAt(performance.now()) !== "locked") {
      this.#chase.hear({ ...this.#inSong(last), kind: "goes", atMs: performance.now() });
      this.#turn();
    }
  }

  async #openMidi(turn: number, kind: "mtc" | "clock", sysex: boolean): Promise<void> {
    const access = await askForMidi(sysex);
    if (turn !== this.#opening) return;
    const { beats, input, frameRate } = this.#options;
    this.#midi = new MidiLeader<MidiTimeCode | MidiClock>(
      access as unknown as LeaderPorts, // the subset of the browser's types that is used here
      () => (kind === "mtc" ? new MidiTimeCode(frameRate) : new MidiClock(beats)),
      (move, decoder) => {
        if (decoder instanceof MidiClock) this.#tempo = decoder.tempo;
        if (move) this.#hear(move);
      },
      (names) => this.#show({ inputs: names.map((name) => ({ id: name, name })) }),
    );
    this.#midi.choose(input);
    this.#show({ inputState: "open", hearsJumps: sysex });
  }

  async #openSound(turn: number): Promise<void> {
    const { input, frameRate } = this.#options;
    const sound = await openSoundInput({
      deviceId: input || undefined,
      onSound: ({ channels, startMs }) => {
        this.#linear = channels.map((_, i) => this.#linear[i] ?? new LinearTimeCode(sound.sampleRate, frameRate));
        for (const [i, samples] of channels.entries())
          for (const move of this.#linear[i]!.hear(samples, startMs)) this.#hear(move);
      },
      onEnd: () => this.#show({ inputState: "unplugged" }),
    });
    if (turn !== this.#opening) return sound.close();
    this.#sound = sound;
    this.#show({ inputState: sound.isAwake() ? "open" : "asleep", inputs: await soundInputs() });
  }

  #hear(move: LeaderMove): void {
    this.#last = move;
    if (move.kind !== "stands") this.#code = move.code ?? this.#code;
    this.#chase.hear(move.kind === "stands" ? move : this.#inSong(move));
    this.#obey();
  }

  #inSong(move: Exclude<LeaderMove, { kind: "stands" }>) {
    const start = move.code && parseTimeCode(this.#start, move.code.rate);
    return start ? { ...move, seconds: move.seconds - secondsOf(start) } : move;
  }

  #turn(): void {
    this.#obey();
    if (++this.#turns % TURNS_PER_VIEW !== 0) return;
    const isAwake = this.#view.inputState === "asleep" && this.#sound?.isAwake();
    this.#show({
      state: this.#chase.stateAt(performance.now()),
      code: this.#code && timeCodeText(this.#code),
      rate: this.#chase.rate,
      tempo: this.#tempo,
      level: this.#linear.length > 0 ? Math.max(...this.#linear.map(({ level }) => level)) : undefined,
      ...(isAwake && { inputState: "open" }),
    });
  }

  #obey(): void {
    for (const order of this.#chase.turn(performance.now())) this.#options.player.obey(order);
  }

  #show(change: Partial<LeaderView>): void {
    const view = { ...this.#view, ...change };
    const isSame = Object.entries(view).every(([key, value]) => value === this.#view[key as keyof LeaderView]);
    if (isSame) return;
    this.#view = view;
    this.#options.onView(view);
  }

  #closeInputs(): void {
    this.#midi?.close();
    this.#sound?.close();
    this.#midi = undefined;
    this.#sound = undefined;
    this.#linear = [];
  }
}
