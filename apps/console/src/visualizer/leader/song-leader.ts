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

/** Whether anything can be heard: `asleep` until the page is touched, `unplugged` when the input was pulled out. */
export type InputState = "opening" | "open" | "asleep" | "unplugged" | "missing" | "denied";

/** What the page shows of a leader. */
export interface LeaderView {
  readonly inputState: InputState;
  readonly inputs: readonly InputName[];
  readonly state: LeaderState;
  /** As it was heard last. */
  readonly code: string | undefined;
  /** Song seconds in a second. */
  readonly rate: number;
  /** Beats a minute of a MIDI clock. */
  readonly tempo: number | undefined;
  /** Height of the sound, 0..1, where there is sound. */
  readonly level: number | undefined;
  /** System exclusive messages are heard, too. */
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
/** The picture of the leader changes so often. */
const TURNS_PER_VIEW = 4;

export interface SongLeaderOptions {
  readonly kind: OutsideLeader;
  readonly player: SongPlayer;
  readonly duration: Seconds;
  /** Of the song: a MIDI clock counts them. */
  readonly beats: readonly Seconds[];
  /** MIDI input by name, sound input by id; empty means any. */
  readonly input: string;
  /** The time code at which the song begins. */
  readonly start: string;
  readonly onView: (view: LeaderView) => void;
}

/** Opens an outside leader and lets it lead the player, from {@link open} to {@link close}. */
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
  /** Counts openings: what an earlier one answers is out of date. */
  #opening = 0;

  constructor(options: SongLeaderOptions) {
    this.#options = options;
    this.#start = options.start;
    this.#chase = new Chase(options.duration, options.player.time());
  }

  /** @param sysex jumps of a deck that stands are heard, too; the browser may ask for that */
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

  /** The page was touched, so it may listen. */
  async wake(): Promise<void> {
    await this.#sound?.wake();
    this.#show({ inputState: "open" });
  }

  setStart(start: string): void {
    this.#start = start;
    // A deck that stands says nothing more: what it said last counts from the new start on.
    const last = this.#last;
    if (last && last.kind !== "stands" && this.#chase.stateAt(performance.now()) !== "locked") {
      this.#chase.hear({ ...this.#inSong(last), kind: "goes", atMs: performance.now() });
      this.#turn();
    }
  }

  async #openMidi(turn: number, kind: "mtc" | "clock", sysex: boolean): Promise<void> {
    const access = await askForMidi(sysex);
    if (turn !== this.#opening) return;
    const { beats, input } = this.#options;
    this.#midi = new MidiLeader<MidiTimeCode | MidiClock>(
      access as unknown as LeaderPorts, // of the browser's types what is used here
      () => (kind === "mtc" ? new MidiTimeCode() : new MidiClock(beats)),
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
    const sound = await openSoundInput({
      deviceId: this.#options.input || undefined,
      onSound: ({ channels, startMs }) => {
        this.#linear = channels.map((_, i) => this.#linear[i] ?? new LinearTimeCode(sound.sampleRate));
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
