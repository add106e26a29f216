import { EDGE, fallen, levelOf, risen, type PlayedSong, type SongStart } from "@followspot/playing";

/** Number of points of a fade curve. */
const FADE_POINTS = 33;

/** Decoded audio of a song, ready for sample-accurate playback. */
export interface LoadedSong {
  readonly seconds: number;
  readonly buffer: AudioBuffer;
  /** Highest absolute sample value; 1 is full scale, and higher values are possible. */
  readonly peak: number;
}

/** One song that is playing or scheduled. Times are seconds of the context's clock. */
export class SoundingSong implements PlayedSong {
  /** Time at which song second 0 leaves the sound card. */
  readonly zeroAt: number;
  readonly #context: AudioContext;
  readonly #source: AudioBufferSourceNode;
  readonly #fade: GainNode;

  /** @param gain gain set by the server, dB */
  constructor(
    context: AudioContext,
    to: AudioNode,
    gain: number,
    { buffer, peak }: LoadedSong,
    { at, from, levelDb, fadeSeconds = 0 }: SongStart,
  ) {
    this.#context = context;
    this.zeroAt = at - from;
    const level = context.createGain();
    level.gain.value = levelOf(gain, peak, levelDb);
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

  /** Fades to silence from `at` on, instead of anything scheduled after that. */
  end(at: number, fadeSeconds = 0): void {
    const from = Math.max(at, this.#context.currentTime);
    const lasts = Math.max(EDGE, fadeSeconds);
    const { gain } = this.#fade;
    gain.cancelScheduledValues(from);
    gain.setValueCurveAtTime(rising(true, gain.value), from, lasts);
    this.#source.stop(from + lasts);
  }

  /** Cancels a scheduled {@link end}: the song plays to its end. */
  goOn(): void {
    const { gain } = this.#fade;
    gain.cancelScheduledValues(this.#context.currentTime);
    gain.setValueAtTime(1, this.#context.currentTime);
    this.#source.stop(this.zeroAt + this.#source.buffer!.duration + 1);
  }
}

function rising(isFalling = false, top = 1): Float32Array {
  return Float32Array.from({ length: FADE_POINTS }, (_, i) => {
    const share = i / (FADE_POINTS - 1);
    return isFalling ? top * fallen(share) : risen(share);
  });
}

/**
 * Decodes the audio of a song.
 * @throws if the browser cannot decode it
 */
export async function decodeSong(context: AudioContext, file: ArrayBuffer): Promise<LoadedSong> {
  // Decoding detaches the buffer, so a copy is decoded and the file stays available.
  const buffer = await context.decodeAudioData(file.slice(0));
  let peak = 0;
  for (let channel = 0; channel < buffer.numberOfChannels; channel++)
    for (const sample of buffer.getChannelData(channel)) peak = Math.max(peak, Math.abs(sample));
  return { seconds: buffer.duration, buffer, peak };
}
