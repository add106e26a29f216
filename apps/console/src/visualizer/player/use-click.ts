import type { SongAnalysis } from "@followspot/contract";
import { useEffect, useState } from "react";
import { BeatClick } from "./beat-click.ts";
import type { SongPlayer } from "./song-player.ts";

const VOLUME_KEY = "followspot.clickVolume";
const FIRST_VOLUME = 0.6;

export interface ClickSettings {
  readonly isOn: boolean;
  /** Volume, 0..1; stored for the next song. */
  readonly volume: number;
  readonly toggle: () => void;
  readonly setVolume: (volume: number) => void;
}

/** Clicks on the displayed beats, corrections included. */
export function useClick(player: SongPlayer, { beats, downbeats }: SongAnalysis): ClickSettings {
  const [click] = useState(() => new BeatClick(player));
  const [isOn, setOn] = useState(false);
  const [volume, setVolume] = useState(storedVolume);

  useEffect(() => click.setGrid(beats, downbeats), [click, beats, downbeats]);
  useEffect(() => click.setVolume(volume), [click, volume]);
  useEffect(() => {
    if (!isOn) return;
    click.start();
    return () => click.stop();
  }, [click, isOn]);

  return {
    isOn,
    volume,
    toggle: () => setOn((on) => !on),
    setVolume: (next) => {
      setVolume(next);
      rememberVolume(next);
    },
  };
}

function storedVolume(): number {
  try {
    const stored = Number.parseFloat(localStorage.getItem(VOLUME_KEY) ?? "");
    return stored >= 0 && stored <= 1 ? stored : FIRST_VOLUME;
  } catch {
    return FIRST_VOLUME;
  }
}

function rememberVolume(volume: number): void {
  try {
    localStorage.setItem(VOLUME_KEY, String(volume));
  } catch {
    // A private window has no storage; the volume lasts as long as the page.
  }
}
