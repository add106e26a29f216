import { BALLAD } from "./ballad.ts";
import { HOUSE } from "./house.ts";
import { ROCK } from "./rock.ts";
import type { Score } from "./score.ts";
import type { DemoSongName } from "../../apps/server/src/songs/demo-songs/demo-songs.ts";

export const SCORES: Readonly<Record<DemoSongName, Score>> = { house: HOUSE, rock: ROCK, ballad: BALLAD };
