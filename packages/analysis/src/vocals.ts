import type { Curve } from "@followspot/contract";
import type { SongFeatures } from "./features.ts";
import { HOP_RATE, SLOW_RATE } from "./rates.ts";
import { clamp, mean, round, smooth } from "./maths.ts";

/**
 * How likely a voice sounds, at 10 Hz. No trained model: it asks for a strong centre between
 * 250 Hz and 3.5 kHz whose level moves at the rate of syllables (3 to 8 Hz) and whose spectrum
 * moves with it. A plucked lead can look the same, so the curve never claims more than 0.8.
 *
 * @param log log spectrogram [hops × bands]
 */
export function detectVocals(features: SongFeatures, log: Float32Array): { presence: Curve; mean_presence: number } {
  const { hops, bandHz } = features;
  const bands = bandHz.length;
  const from = bandHz.findIndex((hz) => hz >= 300);
  const to = bandHz.findIndex((hz) => hz >= 3500);
  const level = new Float32Array(hops);
  const centre = new Float32Array(hops);
  const motion = new Float32Array(hops);
  for (let h = 0; h < hops; h++) {
    let sum = 0;
    let moment = 0;
    for (let b = from; b < to; b++) {
      const v = log[h * bands + b]!;
      sum += v;
      moment += v * b;
    }
    level[h] = sum / Math.max(1, to - from);
    motion[h] = sum > 0 ? moment / sum : 0;
    const mid = features.midPower[h]!;
    const side = features.sidePower[h]!;
    centre[h] = mid + side > 1e-9 ? mid / (mid + side) : 0;
  }
  const syllables = bandDepth(level);
  const formants = bandDepth(motion);
  const central = smooth(centre, HOP_RATE / 2);
  const overall = mean(level);
  const steps = Math.ceil(features.seconds * SLOW_RATE);
  const raw = Float32Array.from({ length: steps }, (_, s) => {
    const h = Math.min(hops - 1, Math.round(((s + 0.5) * HOP_RATE) / SLOW_RATE));
    if (h < 0 || overall < 1e-3 || level[h]! < 0.1) return 0;
    const voiced = clamp((formants[h]! - 0.35) / 0.9) * 0.6 + clamp((syllables[h]! - 0.04) / 0.14) * 0.4;
    return 0.8 * voiced * clamp((central[h]! - 0.4) * 2.2);
  });
  const presence = [...smooth(raw, SLOW_RATE)].map((v) => round(clamp(v), 3));
  return {
    presence: { hop_seconds: 1 / SLOW_RATE, values: presence },
    mean_presence: round(mean(presence), 3),
  };
}

/** Deviation of a curve between about 3 and 8 Hz over one second. */
function bandDepth(values: Float32Array): Float32Array {
  const fast = smooth(values, 3);
  const slow = smooth(values, 16);
  const square = fast.map((v, h) => (v - slow[h]!) ** 2);
  return smooth(square, HOP_RATE / 2).map((v) => Math.sqrt(v));
}
