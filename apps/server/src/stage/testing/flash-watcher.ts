/** What was sent to a rig of RGB lamps, at one moment. */
export interface SeenFrame {
  readonly ms: number;
  /** Linear light 0..1 of each lamp. */
  readonly lamps: readonly (readonly [red: number, green: number, blue: number])[];
}

const RISE = 0.1;
/** A hair below: the mean of lamps that all show 0.8 may be a digit less. */
const DARK_ENOUGH = 0.8 - 1e-9;
/** WCAG's red flash: (R - G - B) x 320 changes by more than 20. */
const RED_RISE = 20 / 320;
/** Packets are stamped by a thread that is busy with other things as well: so much may a second have shrunk. */
const JITTER_MS = 60;

/**
 * Most flashes in any second, of any lamp and of the rig, counted from what was sent after WCAG 2.3.1: rises of relative
 * luminance by 0.1 from below 0.8, and of saturated red. Written apart from the limiter, to find what it misses.
 */
export function mostFlashes(frames: readonly SeenFrame[]): { lamp: number; rig: number } {
  const lamps = frames[0]?.lamps.length ?? 0;
  const most = (signal: (frame: SeenFrame) => number, rise: number, ceiling: number) =>
    densest(
      risesOf(
        frames.map((frame) => [frame.ms, signal(frame)]),
        rise,
        ceiling,
      ),
    );
  const mean = (frame: SeenFrame, of: (lamp: SeenFrame["lamps"][number]) => number) =>
    frame.lamps.reduce((sum, lamp) => sum + of(lamp), 0) / Math.max(1, lamps);
  const each = Array.from({ length: lamps }, (_, i) =>
    Math.max(
      most((frame) => luminanceOf(frame.lamps[i]!), RISE, DARK_ENOUGH),
      most((frame) => redOf(frame.lamps[i]!), RED_RISE, Number.POSITIVE_INFINITY),
    ),
  );
  const rig = Math.max(
    most((frame) => mean(frame, luminanceOf), RISE, DARK_ENOUGH),
    most((frame) => mean(frame, redOf), RED_RISE, Number.POSITIVE_INFINITY),
  );
  return { lamp: Math.max(0, ...each), rig };
}

/** RGB lamps of three channels from address 1 on. */
export function framesOf(packets: readonly { ms: number; bytes: Buffer }[], lamps: number): SeenFrame[] {
  return packets.map(({ ms, bytes }) => {
    const light = (slot: number) => bytes[18 + slot]! / 255;
    return {
      ms,
      lamps: Array.from({ length: lamps }, (_, i) => [light(3 * i), light(3 * i + 1), light(3 * i + 2)] as const),
    };
  });
}

function luminanceOf([r, g, b]: readonly [number, number, number]): number {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function redOf([r, g, b]: readonly [number, number, number]): number {
  return r >= 0.8 * (r + g + b) ? Math.max(0, r - g - b) : 0;
}

/** When a signal has risen by `rise` from its last valley. */
function risesOf(values: readonly (readonly [ms: number, value: number])[], rise: number, ceiling: number): number[] {
  const rises: number[] = [];
  let [isHigh, extreme] = [false, Number.POSITIVE_INFINITY];
  for (const [ms, value] of values) {
    if (isHigh ? value > extreme : value < extreme) extreme = value;
    else if (isHigh && extreme - value >= rise) [isHigh, extreme] = [false, value];
    else if (!isHigh && value - extreme >= rise && extreme < ceiling) {
      [isHigh, extreme] = [true, value];
      rises.push(ms);
    }
  }
  return rises;
}

function densest(times: readonly number[]): number {
  return Math.max(0, ...times.map((from) => times.filter((ms) => ms >= from && ms - from < 1000 - JITTER_MS).length));
}
