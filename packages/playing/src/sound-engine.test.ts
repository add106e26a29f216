import type { PlayerQueue } from "@followspot/contract";
import { expect, it } from "vitest";
import { levelOf } from "./levels.ts";
import { Mixer } from "./mixer.ts";
import { SoundEngine, type Card } from "./sound-engine.ts";

const RATE = 1000;
const song = { id: "s1", title: "One", artist: "", cover: "", seconds: 60, gain: 0 };
const loaded = { seconds: 60, left: new Float32Array(60 * RATE).fill(1), right: new Float32Array(60 * RATE).fill(1) };
const queue: PlayerQueue = { revision: 1, turn: 1, mode: "playing", song, starts_at: 0, paused_at: 0, next: [], gap_seconds: 0, level_db: 0, duck_db: 0, fade_away_seconds: 0 }; // prettier-ignore

/** A player with a mixer as its card. Its clock is the number of mixed frames. */
function openPlayer() {
  const mixer = new Mixer(RATE);
  const seconds = () => mixer.frame / RATE;
  const card: Card<typeof loaded> = {
    now: seconds,
    atEars: seconds,
    isRunning: () => true,
    play: ({ gain }, pcm, { at, from, levelDb, fadeSeconds = 0 }) =>
      mixer.play(pcm, { at, from, fadeSeconds, level: levelOf(gain, 0, levelDb) }),
    setGain: (gain) => mixer.setGain(gain),
    duck: (gain, fadeSeconds) => mixer.duck(gain, fadeSeconds),
  };
  const shelf = { want: () => {}, ready: () => loaded, ahead: 1, problem: "", close: () => {} };
  const ports = { card, shelf, nowMs: () => seconds() * 1000, onLaidOut: () => {}, onChange: () => {} };
  const engine = new SoundEngine(ports);
  engine.clock.answered(0, 0, 0);
  return {
    follow: (state: Partial<PlayerQueue>) =>
      engine.follow({ ...queue, ...state }, { volume: 1, is_muted: false }, true),
    /** Plays for some seconds. @returns the loudest sample at the end, dB */
    play: (duration: number) => 20 * Math.log10(mixer.mix(duration * RATE).at(-1)!),
  };
}

// kept: Stage and lamps | A talk left the music as loud as before, whatever the rehearsal announced | also
it("fades to the level during a talk within 1.5 s, and back after it; repeated states do not restart the fade", () => {
  const player = openPlayer();
  player.follow({});
  expect(player.play(1)).toBeCloseTo(0, 1);
  player.follow({ duck_db: -20 });
  expect(player.play(0.75)).toBeCloseTo(-10, 1);
  player.follow({ duck_db: -20, revision: 2 });
  expect(player.play(0.8)).toBeCloseTo(-20, 1);
  player.follow({ revision: 3 });
  expect(player.play(0.75)).toBeCloseTo(-10, 1);
  expect(player.play(0.8)).toBeCloseTo(0, 1);
});

it("starts at the level during a talk if it is opened during one, and does not change it with the next song", () => {
  const player = openPlayer();
  player.follow({ duck_db: -20 });
  expect(player.play(0.2)).toBeCloseTo(-20, 1);
  player.follow({ duck_db: -20, turn: 2, starts_at: 200 });
  expect(player.play(1)).toBeCloseTo(-20, 1);
});
