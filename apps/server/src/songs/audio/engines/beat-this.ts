import { fftOf, hannWindow } from "@followspot/analysis/fft";

/** Mel bands per frame of the network's input. */
export const MEL_BANDS = 128;
/** Frames that the network processes together: 30 s. */
export const CHUNK_FRAMES = 1500;
/** Frames at either end of a chunk whose output is discarded. */
export const CHUNK_BORDER = 6;

const FRAME_RATE = 50;
const N_FFT = 1024;
const HOP = 441;
const LOWEST_HZ = 30;
const HIGHEST_HZ = 11_000;
/** Peaks are maxima within ±3 frames (70 ms with the frame's own width). */
const PEAK_REACH = 3;

/**
 * Computes the input of Beat This!: log1p(1000 m) of a mel magnitude spectrogram m, 22.05 kHz, 50 frames per second.
 * Frames are centered, the ends mirrored, the magnitudes divided by the root of nFft; the bands are triangles of height
 * 1 on Slaney's mel scale, 30..11000 Hz.
 */
export class LogMel {
  static readonly RATE = 22_050;
  readonly #fft = fftOf(N_FFT);
  readonly #window = hannWindow(N_FFT);
  readonly #bands = melBands();
  readonly #frames: Float32Array[] = [];
  #waiting = new Float32Array(0);
  #isMirrored = false;

  push(y: Float32Array): void {
    let waiting = joined(this.#waiting, y);
    if (!this.#isMirrored) {
      if (waiting.length <= N_FFT / 2) {
        this.#waiting = waiting;
        return;
      }
      waiting = joined(waiting.slice(1, N_FFT / 2 + 1).reverse(), waiting);
      this.#isMirrored = true;
    }
    let at = 0;
    for (; at + N_FFT <= waiting.length; at += HOP) this.#frames.push(this.#frame(waiting, at));
    this.#waiting = waiting.slice(at);
  }

  /** @returns the whole spectrogram, shape [frames × MEL_BANDS]; empty for less than 23 ms of audio */
  finish(): Float32Array {
    if (this.#isMirrored) this.push(mirroredEnd(this.#waiting));
    const out = new Float32Array(this.#frames.length * MEL_BANDS);
    this.#frames.forEach((frame, f) => out.set(frame, f * MEL_BANDS));
    return out;
  }

  #frame(y: Float32Array, at: number): Float32Array {
    const { values, transform } = this.#fft;
    for (let n = 0; n < N_FFT; n++) {
      values[2 * n] = y[at + n]! * this.#window[n]!;
      values[2 * n + 1] = 0;
    }
    transform();
    return Float32Array.from(this.#bands, ({ first, weights }) => {
      let sum = 0;
      for (let i = 0; i < weights.length; i++) {
        const k = 2 * (first + i);
        sum += weights[i]! * Math.hypot(values[k]!, values[k + 1]!);
      }
      return Math.log1p((1000 * sum) / Math.sqrt(N_FFT));
    });
  }
}

/**
 * Returns the first frame of each chunk. The first chunk starts one border before the song; the last one ends with the
 * song.
 */
export function chunkStarts(frames: number): number[] {
  const step = CHUNK_FRAMES - 2 * CHUNK_BORDER;
  const starts: number[] = [];
  for (let start = -CHUNK_BORDER; start < frames - CHUNK_BORDER; start += step) starts.push(start);
  if (frames > step) starts[starts.length - 1] = frames - (CHUNK_FRAMES - CHUNK_BORDER);
  return starts;
}

/**
 * Picks beats where the probability exceeds 0.5 and is the maximum within ±60 ms; downbeats are moved to the nearest
 * beat. Confidence is the mean probability at the beats.
 *
 * @param beat     logits, shape [frames]
 * @param downbeat logits, shape [frames]
 */
export function beatsFromLogits(
  beat: Float32Array,
  downbeat: Float32Array,
): { confidence: number; beats: number[]; downbeats: number[] } {
  const beats = peaks(beat);
  const nearest = (f: number) => beats.reduce((best, b) => (Math.abs(b - f) < Math.abs(best - f) ? b : best), -1e9);
  const downbeats = [...new Set(peaks(downbeat).map(nearest))].filter((f) => f >= 0);
  const sure = beats.reduce((sum, f) => sum + 1 / (1 + Math.exp(-beat[Math.round(f)]!)), 0);
  const toSeconds = (f: number) => f / FRAME_RATE;
  return {
    confidence: beats.length === 0 ? 0 : sure / beats.length,
    beats: beats.map(toSeconds),
    downbeats: downbeats.sort((a, b) => a - b).map(toSeconds),
  };
}

/** Finds positive local maxima; adjacent frames of equal height are one peak in their middle. */
function peaks(logits: Float32Array): number[] {
  const found: number[] = [];
  let run = 0;
  for (let f = 0; f < logits.length; f++) {
    const around = logits.subarray(Math.max(0, f - PEAK_REACH), f + PEAK_REACH + 1);
    if (!(logits[f]! > 0) || logits[f]! < Math.max(...around)) continue;
    const last = found.at(-1);
    if (last !== undefined && f - last <= 1) {
      run++;
      found[found.length - 1] = last + (f - last) / run;
    } else {
      found.push(f);
      run = 1;
    }
  }
  return found;
}

/** Computes triangles between points evenly spaced in mel, as weights of adjacent bins. */
function melBands(): { readonly first: number; readonly weights: Float64Array }[] {
  const low = hzToMel(LOWEST_HZ);
  const high = hzToMel(HIGHEST_HZ);
  const points = Array.from({ length: MEL_BANDS + 2 }, (_, i) => melToHz(low + ((high - low) * i) / (MEL_BANDS + 1)));
  return Array.from({ length: MEL_BANDS }, (_, band) => {
    const [left, centre, right] = [points[band]!, points[band + 1]!, points[band + 2]!];
    const weightOf = (k: number) => {
      const hz = (k * LogMel.RATE) / N_FFT;
      return Math.max(0, Math.min((hz - left) / (centre - left), (right - hz) / (right - centre)));
    };
    const first = Math.ceil((left * N_FFT) / LogMel.RATE);
    const last = Math.floor((right * N_FFT) / LogMel.RATE);
    return {
      first,
      weights: Float64Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => weightOf(first + i)),
    };
  });
}

/** Converts to Slaney's mel scale: linear to 1 kHz (15 mel), logarithmic above. */
function hzToMel(hz: number): number {
  return hz < 1000 ? (3 * hz) / 200 : 15 + (27 * Math.log(hz / 1000)) / Math.log(6.4);
}

function melToHz(mel: number): number {
  return mel < 15 ? (200 * mel) / 3 : 1000 * Math.exp(((mel - 15) * Math.log(6.4)) / 27);
}

/** Returns the half window after the last sample, mirrored. */
function mirroredEnd(y: Float32Array): Float32Array {
  return y.slice(Math.max(0, y.length - N_FFT / 2 - 1), Math.max(0, y.length - 1)).reverse();
}

function joined(a: Float32Array, b: Float32Array): Float32Array<ArrayBuffer> {
  const out = new Float32Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}
