import type { HeardPulse } from "@followspot/contract";
import { useEffect, useRef } from "react";

/** Share of a beat for which the indicator is lit. */
const LIT = 0.35;

/** Indicator that flashes on the beat, extrapolated from the stage's last message. */
export function BeatLamp({ pulse, toldMs }: { readonly pulse: HeardPulse | undefined; readonly toldMs: number }) {
  const lamp = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    let frame = 0;
    const draw = (now: number): void => {
      const beat = pulse ? pulse.beat + ((now - toldMs) * pulse.bpm) / 60_000 : 0;
      const into = beat - Math.floor(beat);
      const light = pulse ? Math.max(0, 1 - into / LIT) * (0.3 + 0.7 * pulse.confidence) : 0;
      if (lamp.current) lamp.current.style.opacity = String(0.15 + 0.85 * light);
      frame = requestAnimationFrame(draw);
    };
    frame = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(frame);
  }, [pulse, toldMs]);
  return <span ref={lamp} aria-hidden className="size-5 shrink-0 rounded-full bg-accent" />;
}
