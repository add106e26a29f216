import { Metronome, Pause, Play, Repeat } from "lucide-react";
import { useEffect, useRef } from "react";
import type { SongAnalysis } from "@followspot/contract";
import { clockTime } from "../../lib/formatting.ts";
import { visualizerStrings } from "../visualizer.strings.ts";
import { sectionAt } from "./section-at.ts";
import { SLOW_SPEEDS, type PlayerState, type SongPlayer } from "./song-player.ts";
import type { ClickSettings } from "./use-click.ts";
import { cx } from "../../ui/class-names.ts";
import { buttonLook, MUTED } from "../look.ts";

const text = visualizerStrings.transport;

interface TransportProps {
  readonly state: PlayerState;
  readonly analysis: SongAnalysis;
  readonly player: SongPlayer;
  readonly click: ClickSettings;
}

/** Elapsed time, and controls for play, speed, loop and click. */
export function Transport({ state: { isPlaying, speed, loop, isLed }, analysis, player, click }: TransportProps) {
  const toggleLoop = (): void => {
    if (loop) return player.setLoop(undefined);
    const section = sectionAt(analysis, player.time());
    if (section) player.setLoop({ from: section.start, to: Math.min(section.end, analysis.duration) });
  };
  const PlayIcon = isPlaying ? Pause : Play;
  return (
    <>
      <ElapsedTime duration={analysis.duration} player={player} />
      <button
        type="button"
        className={buttonLook({ icon: true, primary: true, tight: true })}
        aria-label={isPlaying ? text.pause : text.play}
        aria-keyshortcuts="Space P"
        disabled={isLed}
        onClick={() => player.toggle()}
      >
        <PlayIcon size={16} fill="currentColor" aria-hidden="true" />
      </button>
      {SLOW_SPEEDS.map((slow) => (
        <button
          key={slow}
          type="button"
          className={buttonLook({ tight: true })}
          aria-label={text.speeds[slow].name}
          aria-pressed={speed === slow}
          disabled={isLed}
          onClick={() => player.setSpeed(speed === slow ? 1 : slow)}
        >
          {text.speeds[slow].short}
        </button>
      ))}
      <button
        type="button"
        className={buttonLook({ tight: true })}
        aria-pressed={loop !== undefined}
        title={text.loopHint}
        aria-keyshortcuts="[ ]"
        disabled={isLed}
        onClick={toggleLoop}
      >
        <Repeat size={14} aria-hidden="true" /> {text.loop}
        <span className="sr-only"> {text.section}</span>
      </button>
      <span role="status" className="sr-only">
        {loop && text.loops(clockTime(loop.from), clockTime(loop.to))}
      </span>
      <button
        type="button"
        className={cx(buttonLook({ icon: true }), "max-[640px]:hidden")}
        aria-label={text.click}
        title={text.clickHint}
        aria-keyshortcuts="C"
        aria-pressed={click.isOn}
        onClick={click.toggle}
      >
        <Metronome size={16} aria-hidden="true" />
      </button>
    </>
  );
}

/** Elapsed time. Writes to the DOM directly, because it changes while everything else stays the same. */
function ElapsedTime({ duration, player }: { readonly duration: number; readonly player: SongPlayer }) {
  const elapsed = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    let shown = "";
    return player.onFrame((time) => {
      const now = clockTime(time);
      if (now === shown || !elapsed.current) return;
      elapsed.current.textContent = shown = now;
    });
  }, [player]);
  return (
    <p className="mr-1.5 font-mono text-[18px]/6 font-medium whitespace-nowrap max-[480px]:mr-0 max-[480px]:flex max-[480px]:flex-col max-[480px]:text-[14px]/4">
      <span ref={elapsed}>00:00</span>{" "}
      <span className={cx(MUTED, "max-[480px]:text-[12px]")}>/ {clockTime(duration)}</span>
    </p>
  );
}
