/**
 * Mixes any number of channels to two. Mono is copied unchanged to both sides, so its loudness stays. Of more than two
 * channels each further one is added to both sides at half its level. Both decoders mix by this rule.
 */
export function toStereo(channels: readonly Float32Array[]): [Float32Array, Float32Array] {
  const [left, right, ...rest] = channels;
  if (!left) return [new Float32Array(0), new Float32Array(0)];
  if (!right) return [left, left];
  if (rest.length === 0) return [left, right];
  const l = Float32Array.from(left);
  const r = Float32Array.from(right);
  for (const channel of rest) {
    for (let i = 0; i < l.length; i++) {
      l[i]! += 0.5 * channel[i]!;
      r[i]! += 0.5 * channel[i]!;
    }
  }
  return [l, r];
}
