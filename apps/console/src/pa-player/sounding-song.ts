import type { PlayerSong } from "@followspot/contract";

/** Samples of a song that is louder than this would clip. */
const CEILING = 0.97;
/** A start or an end without a fade is still no click. Seconds. */
const EDGE = 0.008;
/** Points of a fade. */
const FADE_POINTS = 33;

/** Sound of a song, ready to be played to the sample. */
export interface LoadedSong {
  readonly song: PlayerSong;
  readonly buffer: AudioBuffer;
  /** Highest sample, 0..1 and above. */
  readonly peak: number;
}

interface SoundingStart {
  readonly at: number;
  readonly from: number;
  readonly levelDb: number;
  readonly fadeSeconds?: number;
}

/** One song that sounds, or is laid out to. Times are seconds of the context's clock. */
export class SoundingSong {
  readonly song: PlayerSong;
  /** When song second 0 leaves the card. */
  readonly zeroAt: number;
  readonly #context: AudioContext;
  readonly #source: AudioBufferSourceNode;
  readonly #fade: GainNode;

  /**
   * @param at when it begins to sound @param from song second then
   * @param levelDb what it is softer by than its gain says @param fadeSeconds in which it rises
   */
  constructor(
    context: AudioContext,
    to: AudioNode,
    { song, buffer, peak }: LoadedSong,
    { at, from, levelDb, fadeSeconds = 0 }: SoundingStart,
  ) {
    this.song = song;
    this.#context = context;
    this.zeroAt = at - from;
    const level = context.createGain();
    level.gain.value = levelOf(song.gain, peak, levelDb);
    this.#fade = context.createGain();
    this.#source = context.createBufferSource();
    this.#source.buffer = buffer;
    this.#source.connect(level).connect(this.#fade).connect(to);
    this.#fade.gain.setValueCurveAtTime(rising(), at, Math.max(EDGE, fadeSeconds));
    this.#source.start(at, from);
    this.#source.addEventListener("ended", () => {
      for (const node of [this.#source, level, this.#fade]) node.disconnect();
    });
  }

  positionAt(contextSeconds: number): number {
    return contextSeconds - this.zeroAt;
  }

  /** Falls to silence from `at` on, in place of what was to happen after that. */
  end(at: number, fadeSeconds = 0): void {
    const from = Math.max(at, this.#context.currentTime);
    const lasts = Math.max(EDGE, fadeSeconds);
    const { gain } = this.#fade;
    gain.cancelScheduledValues(from);
    gain.setValueCurveAtTime(rising(true, gain.value), from, lasts);
    this.#source.stop(from + lasts);
  }

  /** Takes back what {@link end} laid out: it sounds to its own end. */
  goOn(): void {
    const { gain } = this.#fade;
    gain.cancelScheduledValues(this.#context.currentTime);
    gain.setValueAtTime(1, this.#context.currentTime);
    this.#source.stop(this.zeroAt + this.#source.buffer!.duration + 1);
  }
}

/**
 * What samples are multiplied by: as the server wants it, and never so much that they would clip.
 * @param gain dB @param peak highest sample, 0 for silence @param levelDb what it is softer by, however loud it could be
 */
export function levelOf(gain: number, peak: number, levelDb = 0): number {
  return Math.min(10 ** (gain / 20), peak > 0 ? CEILING / peak : 1) * 10 ** (levelDb / 20);
}

/** Equal power: two songs that fade through each other are as loud together as one. */
function rising(isFalling = false, top = 1): Float32Array {
  return Float32Array.from({ length: FADE_POINTS }, (_, i) => {
    const share = i / (FADE_POINTS - 1);
    return isFalling ? top * Math.cos((share * Math.PI) / 2) : Math.sin((share * Math.PI) / 2);
  });
}

/** @throws where the browser cannot decode it */
export async function decodeSong(context: AudioContext, song: PlayerSong, file: ArrayBuffer): Promise<LoadedSong> {
  // The context takes the bytes for itself; the file is kept for another time.
  const buffer = await context.decodeAudioData(file.slice(0));
  let peak = 0;
  for (let channel = 0; channel < buffer.numberOfChannels; channel++)
    for (const sample of buffer.getChannelData(channel)) peak = Math.max(peak, Math.abs(sample));
  return { song, buffer, peak };
}
