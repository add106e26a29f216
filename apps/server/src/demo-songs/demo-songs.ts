import { wavFile } from "../audio/wav.ts";
import { BALLAD } from "./ballad.ts";
import { HOUSE } from "./house.ts";
import { RATE } from "./instruments.ts";
import { play } from "./play.ts";
import { ROCK } from "./rock.ts";
import type { Score } from "./score.ts";

/** Songs of our own to try lamps with, by the names they are asked for. */
export const DEMO_SONGS = { house: HOUSE, rock: ROCK, ballad: BALLAD } as const satisfies Record<string, Score>;
export type DemoSongName = keyof typeof DEMO_SONGS;

export const isDemoSong = (name: string): name is DemoSongName => Object.hasOwn(DEMO_SONGS, name);

/** What its file is called: by "(demo)" people tell it from songs they added. */
export const demoFileName = (name: DemoSongName): string => `Followspot - ${DEMO_SONGS[name].title} (demo).wav`;

/** @returns a 16-bit stereo WAV file; some seconds of work */
export function synthesiseDemo(name: DemoSongName): Buffer {
  const { left, right } = play(DEMO_SONGS[name]);
  return wavFile(left, right, RATE);
}
