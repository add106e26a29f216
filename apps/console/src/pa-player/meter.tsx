import { useEffect, useRef } from "react";
import type { PaPlayer } from "./pa-player.ts";
import { playerStrings as text } from "./player.strings.ts";

/** Level at the left end, dB below full scale. */
const FLOOR = -48;
const FALL_PER_FRAME = 0.6;

/** Level meter of both channels, drawn on each frame. */
export function Meter({ player }: { readonly player: PaPlayer }) {
  const sides = useRef<(HTMLDivElement | null)[]>([]);
  useEffect(() => {
    let frame = 0;
    const shown = [FLOOR, FLOOR];
    const draw = () => {
      for (const [side, level] of player.levels().entries()) {
        // Rises immediately and falls slowly, so that peaks are readable.
        shown[side] = Math.max(level, shown[side]! - FALL_PER_FRAME, FLOOR);
        const share = 1 - shown[side]! / FLOOR;
        sides.current[side]?.style.setProperty("transform", `scaleX(${share.toFixed(3)})`);
      }
      frame = requestAnimationFrame(draw);
    };
    draw();
    return () => cancelAnimationFrame(frame);
  }, [player]);
  return (
    <div className="flex flex-col gap-1.5 px-1">
      {[text.left, text.right].map((name, side) => (
        <div
          key={name}
          role="img"
          aria-label={text.meter(name)}
          className="h-1.5 overflow-hidden rounded-full bg-raised"
        >
          <div
            ref={(element) => void (sides.current[side] = element)}
            style={{ transform: "scaleX(0)" }}
            className="h-full origin-left bg-linear-to-r from-ok from-70% to-warn"
          />
        </div>
      ))}
    </div>
  );
}
