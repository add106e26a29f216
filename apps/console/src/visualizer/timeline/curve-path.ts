import type { Curve, Seconds } from "@followspot/contract";

/**
 * Range of a curve that one drawing shows: `width` pixels at `zoom` pixels per second, from `start` in song seconds.
 */
export interface CurveWindow {
  readonly start: Seconds;
  readonly zoom: number;
  readonly width: number;
}

/** Returns the lowest and highest level per column of `step` pixels, so that peaks remain visible at any zoom. */
export function columnsOf(curve: Curve, window: CurveWindow, step = 1): { low: Float32Array; high: Float32Array } {
  const columns = Math.ceil(window.width / step);
  const low = new Float32Array(columns);
  const high = new Float32Array(columns);
  const perColumn = step / window.zoom / curve.hop_seconds;
  const first = window.start / curve.hop_seconds;
  for (let c = 0; c < columns; c++) {
    const from = Math.max(0, Math.floor(first + c * perColumn));
    const to = Math.min(curve.values.length, Math.max(from + 1, Math.ceil(first + (c + 1) * perColumn)));
    if (first + c * perColumn < -1 || from >= curve.values.length) continue;
    let least = 1;
    let most = 0;
    for (let i = from; i < to; i++) {
      const value = curve.values[i]!;
      if (value < least) least = value;
      if (value > most) most = value;
    }
    low[c] = least;
    high[c] = most;
  }
  return { low, high };
}

/** Returns the SVG path of the curve, 0 at `bottom` and 1 at `bottom - height`; empty if the song has no values. */
export function linePath(curve: Curve, window: CurveWindow, bottom: number, height: number): string {
  return pointsOf(curve, window, bottom, height)
    .map((point, i) => `${i === 0 ? "M" : "L"}${point}`)
    .join("");
}

/** Returns the path of the curve, with the area below it closed. */
export function areaPath(curve: Curve, window: CurveWindow, bottom: number, height: number): string {
  const points = pointsOf(curve, window, bottom, height);
  if (points.length < 2) return "";
  const firstX = points[0]!.split(",")[0];
  const lastX = points.at(-1)!.split(",")[0];
  return `M${firstX},${bottom}L${points.join("L")}L${lastX},${bottom}Z`;
}

/** Returns bars mirrored around `middle`, one per `step` pixels, each as tall as the highest value within it. */
export function mirroredBars(curve: Curve, window: CurveWindow, middle: number, height: number, step = 3): string {
  const { high } = columnsOf(curve, window, step);
  const available = (curve.values.length * curve.hop_seconds - window.start) * window.zoom;
  let path = "";
  for (let c = 0; c < high.length; c++) {
    const x = c * step;
    if (x >= available || x < -window.start * window.zoom - step) continue;
    const half = Math.max(0.5, (high[c]! * height) / 2);
    path += `M${x},${num(middle - half)}h${step - 1}v${num(2 * half)}h${1 - step}z`;
  }
  return path;
}

/** Returns the curve averaged down to at most `count` values over its whole length. */
export function resample(curve: Curve, count: number): Curve {
  const { values } = curve;
  if (values.length <= count) return curve;
  const per = values.length / count;
  return {
    hop_seconds: curve.hop_seconds * per,
    values: Array.from({ length: count }, (_, i) => {
      const from = Math.floor(i * per);
      const to = Math.max(from + 1, Math.floor((i + 1) * per));
      let sum = 0;
      for (let k = from; k < to; k++) sum += values[k]!;
      return sum / (to - from);
    }),
  };
}

/**
 * Returns the points of a curve: every sample if samples are at least one pixel apart, else the lowest and highest
 * value of each pixel.
 */
function pointsOf(curve: Curve, window: CurveWindow, bottom: number, height: number): string[] {
  const { start, zoom, width } = window;
  const { values, hop_seconds: hop } = curve;
  const y = (value: number): string => num(bottom - value * height);
  if (hop * zoom >= 1) {
    // Includes one sample beyond each edge, so that neighboring chunks connect.
    const from = Math.max(0, Math.floor(start / hop) - 1);
    const to = Math.min(values.length - 1, Math.ceil((start + width / zoom) / hop) + 1);
    const points: string[] = [];
    for (let i = from; i <= to; i++) points.push(`${num((i * hop - start) * zoom)},${y(values[i]!)}`);
    return points;
  }
  const { low, high } = columnsOf(curve, window);
  const firstColumn = Math.max(0, Math.ceil(-start * zoom));
  const lastColumn = Math.min(low.length, Math.ceil((values.length * hop - start) * zoom));
  const points: string[] = [];
  for (let c = firstColumn; c < lastColumn; c++) {
    points.push(`${c},${y(high[c]!)}`);
    if (high[c]! - low[c]! > 0.02) points.push(`${c},${y(low[c]!)}`);
  }
  return points;
}

/** Rounds to tenths of a pixel, which keeps path strings short and quick to parse. */
export function num(value: number): string {
  return String(Math.round(value * 10) / 10);
}
