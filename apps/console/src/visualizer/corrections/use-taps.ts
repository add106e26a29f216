import { fitTaps } from "@followspot/analysis/correct-analysis";
import { LEAST_TAPS } from "@followspot/contract";
import { useRef, useState } from "react";
import type { SongPlayer } from "../player/song-player.ts";
import type { Corrections } from "./use-corrections.ts";
import { correctionsStrings } from "./corrections.strings.ts";

const text = correctionsStrings.grid;

/** Pause after which the next tap starts a new series, ms. */
const PAUSE_MS = 2500;
const MOST_TAPS = 256;

export interface Taps {
  readonly tap: () => void;
  /** Summary of the taps so far, shown to the user. */
  readonly text: string;
}

/** Collects taps along with the song. Four or more taps replace the beat grid. */
export function useTaps(player: SongPlayer, corrections: Corrections | undefined): Taps {
  const session = useRef({ times: [] as number[], lastAt: 0, isApplied: false });
  const [said, setSaid] = useState({ text: "", isOfGrid: false });

  const tap = (): void => {
    if (!corrections) return;
    const time = player.soundTime();
    if (time === undefined) {
      player.play();
      setSaid({ text: text.playing, isOfGrid: false });
      return;
    }
    const now = performance.now();
    const { times: before, lastAt } = session.current;
    const isNew = now - lastAt > PAUSE_MS || time <= (before.at(-1) ?? -1);
    // An undo between two taps also starts a new series.
    const last = corrections.history.present.edits.at(-1);
    const goesOn = !isNew && session.current.isApplied && last?.kind === "tap";
    const times = isNew ? [time] : [...before, time].slice(-MOST_TAPS);
    session.current = { times, lastAt: now, isApplied: goesOn };
    const fit = fitTaps(times);
    if (!fit) return setSaid({ text: text.taps(times.length, LEAST_TAPS), isOfGrid: false });
    corrections.edit({ kind: "tap", times: times.map((each) => Math.round(each * 1000) / 1000) }, goesOn);
    session.current.isApplied = true;
    setSaid({ text: text.tapped(fit.bpm, times.length), isOfGrid: true });
  };
  // The text disappears if the taps were undone or followed by another correction.
  const isTapped = corrections?.history.present.edits.at(-1)?.kind === "tap";
  return { tap, text: said.isOfGrid && !isTapped ? "" : said.text };
}
