import type { ServiceImpl } from "@connectrpc/connect";
import type { LightsService } from "@followspot/contract/lights";
import type { Sql } from "../platform/database.ts";
import type { FixtureLibrary } from "./fixture-library.ts";
import type { ReadSongFile } from "./plan-events.ts";

export interface LightsPorts {
  readonly sql: Sql;
  readonly fixtures: FixtureLibrary;
  /** A file beside a song; undefined while there is none. */
  readonly readSongFile: ReadSongFile;
  /** What the stage answers; a body asks it to do something. @throws unavailable while it does not answer */
  readonly askStage: (path: string, body?: object) => Promise<unknown>;
}

/** A part of LightsService: one resource, one file. */
export type LightsMethods = Partial<ServiceImpl<typeof LightsService>>;
