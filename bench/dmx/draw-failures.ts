/** What the lamps saw of one failure. */
export interface FailureRow {
  readonly title: string;
  /** Shown after the failure. */
  readonly seconds: number;
  /** Longest time without a frame after it, ms. */
  readonly longestGap: number;
  /** From the failure to the next frame, ms. */
  readonly firstFrame: number;
  /** Frames as they arrived: seconds since the failure, light 0..1. */
  readonly light: readonly { readonly t: number; readonly level: number }[];
}

const WIDTH = 900;
const ROW = 96;
const HEIGHT = 52;
const LEFT = 24;
/** Frames further apart than this are no longer one light; it is drawn as a gap. */
const GAP_SECONDS = 1;

/** One strip for each failure: light over time, a red line where it happened, grey where nothing came. */
export function drawFailures(rows: readonly FailureRow[], before: number): string {
  const most = Math.max(...rows.map(({ seconds }) => seconds));
  const x = (t: number) => LEFT + ((t + before) / (most + before)) * (WIDTH - 2 * LEFT);
  const strips = rows.map((row, i) => {
    const top = 10 + i * ROW;
    const y = (level: number) => top + 26 + HEIGHT * (1 - level);
    const grid = Array.from({ length: row.seconds + before + 1 }, (_, k) => k - before)
      .filter((t) => t % 2 === 0)
      .map((t) => `<text class="s" x="${x(t).toFixed(1)}" y="${y(0) + 12}" text-anchor="middle">${t} s</text>`);
    return `<text x="${LEFT}" y="${top + 10}">${row.title}</text>
<text class="s" x="${WIDTH - LEFT}" y="${top + 10}" text-anchor="end">next frame after ${row.firstFrame} ms, longest wait ${row.longestGap} ms</text>
<rect class="p" x="${x(-before)}" y="${y(1)}" width="${x(row.seconds) - x(-before)}" height="${HEIGHT}"/>
${gapsOf(row, before)
  .map(
    ([from, to]) =>
      `<rect class="g" x="${x(from)}" y="${y(1)}" width="${(x(to) - x(from)).toFixed(1)}" height="${HEIGHT}"/>`,
  )
  .join("")}
<path class="l" d="${stepsOf(row, x, y)}"/>
<path class="f" d="M${x(0)},${y(1)}V${y(0)}"/>
${grid.join("")}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${rows.length * ROW + 12}" font-family="sans-serif" font-size="12">
<style>text{fill:#333}.s{font-size:9px;fill:#777}.p{fill:#f4f4f6}.g{fill:#c9c9cf}.l{fill:none;stroke:#5b4bd6;stroke-width:1}.f{stroke:#d33;stroke-width:1.5}@media(prefers-color-scheme:dark){text{fill:#ddd}.s{fill:#999}.p{fill:#1c1d22}.g{fill:#4a4b52}.l{stroke:#a79bff}}</style>
${strips.join("\n")}
</svg>
`;
}

function gapsOf({ light, seconds }: FailureRow, before: number): (readonly [number, number])[] {
  const times = [-before, ...light.map(({ t }) => t), seconds];
  return times.flatMap((t, i) => {
    const last = times[i - 1];
    return last !== undefined && t - last > GAP_SECONDS ? [[last, t] as const] : [];
  });
}

/** The light holds until the next frame. Thinned to what a picture shows. */
function stepsOf({ light }: FailureRow, x: (t: number) => number, y: (level: number) => number): string {
  let path = "";
  let drawn: number | undefined;
  for (const { t, level } of light) {
    const at = y(level).toFixed(1);
    path += drawn === undefined ? `M${x(t).toFixed(1)},${at}` : `H${x(t).toFixed(1)}V${at}`;
    drawn = t;
  }
  return path;
}
