import type { SongAnalysis } from "@followspot/contract";
import type { SettableRate } from "@followspot/lighting";
import { useEffect, useRef, useState } from "react";
import type { SongPlayer } from "../player/song-player.ts";
import {
  FIRST_START,
  storedLeader,
  storeLeader,
  withStart,
  type LeaderKind,
  type LeaderSettings,
} from "./leader-settings.ts";
import { CLOSED_VIEW, SongLeader, type LeaderView } from "./song-leader.ts";

export interface LeaderHandle {
  readonly kind: LeaderKind;
  readonly view: LeaderView;
  readonly start: string;
  /** Input of the current leader: MIDI input by name, sound input by ID; empty for any. */
  readonly input: string;
  /** Frame rate of time code; empty to detect it. */
  readonly frameRate: SettableRate | "";
  readonly choose: (kind: LeaderKind) => void;
  readonly setInput: (input: string) => void;
  readonly setFrameRate: (rate: SettableRate | "") => void;
  readonly setStart: (start: string) => void;
  readonly retry: () => void;
  readonly wake: () => void;
  readonly hearJumps: () => void;
}

/** Manages the leader of the song on this page; the settings are stored in this browser. */
export function useLeader(songId: string, player: SongPlayer, { duration, beats }: SongAnalysis): LeaderHandle {
  const [settings, setSettings] = useState(() => storedLeader());
  const [view, setView] = useState(CLOSED_VIEW);
  const leader = useRef<SongLeader>(undefined);
  const { kind, frameRate } = settings;
  const input = kind === "ltc" ? settings.sound : settings.midi;
  const start = settings.starts[songId] ?? FIRST_START;
  const firstStart = useRef(start);

  useEffect(() => {
    if (kind === "player") return undefined;
    const opened = new SongLeader({
      ...{ kind, player, duration, beats, input },
      frameRate: frameRate || undefined,
      start: firstStart.current,
      onView: setView,
    });
    leader.current = opened;
    void opened.open();
    return () => {
      opened.close();
      leader.current = undefined;
      setView(CLOSED_VIEW);
    };
  }, [kind, input, frameRate, player, duration, beats]);

  const change = (next: LeaderSettings) => {
    setSettings(next);
    storeLeader(next);
  };
  return {
    kind,
    view,
    start,
    input,
    frameRate,
    choose: (next) => change({ ...settings, kind: next }),
    setInput: (next) => change({ ...settings, ...(kind === "ltc" ? { sound: next } : { midi: next }) }),
    setFrameRate: (next) => change({ ...settings, frameRate: next }),
    setStart: (next) => {
      firstStart.current = next;
      leader.current?.setStart(next);
      change(withStart(settings, songId, next));
    },
    retry: () => void leader.current?.open(),
    wake: () => void leader.current?.wake(),
    hearJumps: () => void leader.current?.open(true),
  };
}
