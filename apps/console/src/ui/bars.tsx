const WIDTH = 120;
const HEIGHT = 24;
/** The least that is seen of a bar, and what stands in place of one. */
const LEAST = 2;
const NONE = 1;

/**
 * Values side by side as bars, as wide as their place; the highest fills the height.
 * @param values 0 draws the ground
 * @param label what a screen reader says of it
 * @param say what is said of one bar under the pointer
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
  const highest = Math.max(...values, 0);
  const step = WIDTH / values.length;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-6 w-full"
    >
      {values.map((value, i) => {
        const height = value > 0 ? Math.max(LEAST, (HEIGHT * value) / highest) : NONE;
        return (
          <rect
            key={i}
            x={i * step}
            y={HEIGHT - height}
            width={step * 0.75}
            height={height}
            className={value > 0 ? "fill-accent" : "fill-border"}
          >
            {value > 0 && <title>{say(value, i)}</title>}
          </rect>
        );
      })}
    </svg>
  );
}
