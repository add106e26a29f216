import { useEffect, useRef } from "react";
import { countdownText, type ServerClock } from "../lib/server-clock.ts";

/** Counts down to a time on the server's clock, without rendering other components. */
export function Countdown({
  endsAt,
  clock,
  over,
  className = "",
  totalMs,
}: {
  /** ms since 1970 */
  readonly endsAt: number;
  readonly clock: ServerClock;
  /** Text after the end. */
  readonly over: string;
  readonly className?: string;
  /** Whole duration, ms. If set, a bar shows the remaining share. */
  readonly totalMs?: number;
}) {
  const text = useRef<HTMLSpanElement>(null);
  const bar = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    let frame = 0;
    const draw = () => {
      const left = endsAt - clock.now();
      const shown = left > 0 ? countdownText(left) : over;
      if (text.current && text.current.textContent !== shown) {
        text.current.textContent = shown;
        text.current.dataset["over"] = String(left <= 0);
      }
      if (bar.current && totalMs) bar.current.style.transform = `scaleX(${Math.min(1, Math.max(0, left / totalMs))})`;
      frame = requestAnimationFrame(draw);
    };
    draw();
    return () => cancelAnimationFrame(frame);
  }, [endsAt, clock, over, totalMs]);
  return (
    <span className={className} role="timer">
      <span ref={text} className="countdown-text" />
      {totalMs !== undefined && (
        <span aria-hidden className="countdown-track">
          <span ref={bar} className="countdown-bar" />
        </span>
      )}
    </span>
  );
}
