import { Sparkline } from "./sparkline.tsx";

const WIDTH = 120;
const HEIGHT = 24;
/** Minimum height of a bar, so that 0 stays visible. */
const LEAST = 2;
const NONE = 1;

/**
 * Draws a bar chart as wide as its container; the highest bar fills the height.
 * @param values from left to right, at least one; 0 draws the minimum height
 * @param label description of the whole chart for screen readers
 * @param say formats one value for display
 */
export function Bars({
  values,
  label,
  say,
}: {
  readonly values: readonly number[];
  readonly label: string;
  readonly say: (value: number, at: number) => string;
}) {
  const highest = Math.max(...values);
  const step = WIDTH / values.length;
  const moments = values.map((value, i) => ({ at: (i + 0.5) / values.length, says: say(value, i) }));
  return (
    <Sparkline label={label} moments={moments}>
      {(chosen) => (
        <svg aria-hidden viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className="block h-7 w-full">
          {values.map((value, i) => {
            const height = value > 0 ? Math.max(LEAST, (HEIGHT * value) / highest) : NONE;
            return (
              <g key={i}>
                {i === chosen && <rect x={i * step} width={step} height={HEIGHT} className="fill-border" />}
                <rect
                  x={(i + 0.125) * step}
                  y={HEIGHT - height}
                  width={step * 0.75}
                  height={height}
                  className={value > 0 ? "fill-accent" : "fill-border"}
                />
              </g>
            );
          })}
        </svg>
      )}
    </Sparkline>
  );
}
