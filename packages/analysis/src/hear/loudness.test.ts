import { expect, test } from "vitest";
import { integratedLoudness, KWeighting, SILENCE_LUFS } from "./loudness.ts";

/** Returns the power per 100 ms of a 1 kHz sine on both channels. */
function sinePower(sampleRate: number, peakDb: number, seconds: number): Float32Array {
  const step = sampleRate / 10;
  const y = Float32Array.from(
    { length: sampleRate * seconds },
    (_, n) => 10 ** (peakDb / 20) * Math.sin((2 * Math.PI * 1000 * n) / sampleRate),
  );
  const left = new KWeighting(sampleRate);
  const right = new KWeighting(sampleRate);
  return Float32Array.from({ length: seconds * 10 }, (_, i) => {
    return (left.energy(y, i * step, (i + 1) * step) + right.energy(y, i * step, (i + 1) * step)) / step;
  });
}

test.each([44_100, 48_000])(
  "measures -23 LUFS for a stereo 1 kHz sine at -23 dBFS at %i Hz (EBU Tech 3341, case 1)",
  (rate) => {
    expect(Math.abs(integratedLoudness(sinePower(rate, -23, 5)) + 23)).toBeLessThan(0.1);
  },
);

test("ignores quiet passages below the relative gate (EBU Tech 3341, case 3)", () => {
  const power = Float32Array.from([
    ...sinePower(48_000, -36, 10),
    ...sinePower(48_000, -23, 60),
    ...sinePower(48_000, -36, 10),
  ]);
  expect(Math.abs(integratedLoudness(power) + 23)).toBeLessThan(0.1);
});

test("measures the floor for silence", () => {
  expect(integratedLoudness(new Float32Array(50))).toBe(SILENCE_LUFS);
  expect(integratedLoudness(new Float32Array(0))).toBe(SILENCE_LUFS);
});
