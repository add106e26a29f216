import type { ServiceImpl } from "@connectrpc/connect";
import type { LightsService } from "@followspot/contract/lights";
import type { Sql } from "../platform/database/database.ts";
import type { FixtureLibrary } from "./fixture-library.ts";
import type { ReadSongFile } from "./plan-events.ts";

export interface LightsPorts {
  readonly sql: Sql;
  readonly fixtures: FixtureLibrary;
  /** Reads a file of a song; undefined if it does not exist. */
  readonly readSongFile: ReadSongFile;
  /** Requests a path of the stage; a body makes it a command. @throws unavailable while the stage does not respond */
  readonly askStage: (path: string, body?: object) => Promise<unknown>;
}

/** One resource's methods of LightsService. */
export type LightsMethods = Partial<ServiceImpl<typeof LightsService>>;
