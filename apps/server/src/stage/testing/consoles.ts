import type { PlaybackCommand } from "@followspot/contract";
import { Lamps, type Holder } from "../lamps/lamps.ts";
import { Playback } from "../playback/playback.ts";
import type { SongShow } from "../playback/song-show.ts";
import { brightPlan } from "./plans.ts";

/** Returns a user's connection: "ada", or "ada 2" for her second connection. */
export const holderOf = (connection: string): Holder => ({
  person: connection.split(" ", 1)[0]!,
  page: connection,
  connection,
});

/** Consoles that play songs on a stage, with plans that arrive when the test calls `loaded`. */
export class Consoles {
  readonly lamps = new Lamps();
  readonly playback = new Playback(this.lamps);

  /** Requests a song. @returns the show that waits for its plan; undefined if it was rejected, or resumed */
  ask(connection: string, song: string, ms = 0, takesOver = false): SongShow | undefined {
    const command = { type: "prepare_playback", take_over: takesOver } as const;
    return this.playback.handle(holderOf(connection), song, command, ms).load;
  }

  /** Requests a song whose plan arrives at once. @returns the reason for a rejection */
  take(connection: string, song: string, ms = 0, takesOver = false) {
    const command = { type: "prepare_playback", take_over: takesOver } as const;
    const { reply, load } = this.playback.handle(holderOf(connection), song, command, ms);
    if (load) this.loaded(load);
    return reply;
  }

  loaded(show: SongShow): boolean {
    return this.playback.loaded(show, brightPlan());
  }

  say(connection: string, command: PlaybackCommand, ms = 0) {
    return this.playback.handle(holderOf(connection), "", command, ms);
  }

  lose(connection: string, ms: number, isSentAway = false): void {
    this.lamps.connectionLost(connection, ms, isSentAway);
  }

  stateFor(connection: string, ms: number) {
    return this.playback.stateFor(holderOf(connection), 1, false, ms);
  }

  sceneAt(ms: number) {
    return this.lamps.sceneAt(ms);
  }

  get songId(): string {
    return this.playback.songId;
  }
}
