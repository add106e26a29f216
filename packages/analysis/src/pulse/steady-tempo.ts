import { HOP_RATE } from "../hear/rates.ts";

/** A pulse that keeps its phase through the whole song, as played by a machine. */
export interface SteadyPulse {
  /** Hops between pulses. */
  readonly period: number;
  /** Hop of the first pulse, 0 <= first < period. */
  readonly first: number;
  /** Share of the pulse's strength that is in phase, 0..1; above 0.6 only for machines. */
  readonly coherence: number;
}

/** Range of the search around the expected frequency, as a share. */
const REACH = 0.025;

/**
 * Searches for one exact pulse near a known rate. The Fourier transform of the activation is taken per second of song,
 * and the seconds are added with the phase that each candidate rate predicts. A drummer's drift or a change of tempo
 * cancels the sum; a sequencer's pulse adds up.
 *
 * @param activation shape [hops], 0..1
 * @param hopsPerPulse expected period; half a beat, so that off-beat passages agree too
 */
export function findSteadyPulse(activation: Float32Array, hopsPerPulse: number): SteadyPulse {
  const hops = activation.length;
  const seconds = Math.floor(hops / HOP_RATE);
  const centre = 1 / hopsPerPulse;
  const re = new Float64Array(seconds);
  const im = new Float64Array(seconds);
  let strength = 0;
  for (let s = 0; s < seconds; s++) {
    for (let h = s * HOP_RATE; h < (s + 1) * HOP_RATE; h++) {
      const angle = 2 * Math.PI * centre * h;
      re[s]! += activation[h]! * Math.cos(angle);
      im[s]! -= activation[h]! * Math.sin(angle);
    }
    strength += Math.hypot(re[s]!, im[s]!);
  }
  const step = 0.05 / hops;
  let best = { frequency: centre, size: 0, phase: 0 };
  for (let f = centre * (1 - REACH); f <= centre * (1 + REACH); f += step) {
    let x = 0;
    let y = 0;
    for (let s = 0; s < seconds; s++) {
      const turn = -2 * Math.PI * (f - centre) * (s + 0.5) * HOP_RATE;
      const c = Math.cos(turn);
      const d = Math.sin(turn);
      x += re[s]! * c - im[s]! * d;
      y += re[s]! * d + im[s]! * c;
    }
    const size = Math.hypot(x, y);
    if (size > best.size) best = { frequency: f, size, phase: Math.atan2(y, x) };
  }
  const period = 1 / best.frequency;
  const first = (-best.phase / (2 * Math.PI)) * period;
  return {
    period,
    first: ((first % period) + period) % period,
    coherence: strength > 0 ? best.size / strength : 0,
  };
}
