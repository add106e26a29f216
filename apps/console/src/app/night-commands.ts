import type { DescMethodUnary } from "@bufbuild/protobuf";
import { MusicService } from "@followspot/contract/music";
import type { Action } from "../auth/can.ts";
import type { Call } from "../lib/list-source.ts";
import { sayWhy } from "../ui/delete-dialog.tsx";
import { showToast } from "../ui/toast.tsx";
import type { Thing } from "./find-things.ts";
import type { Command } from "./find-commands.ts";
import { paletteStrings as text } from "./palette.strings.ts";

const rpc = MusicService.method;

/** Kinds of items that can be played to everyone. */
const PLAYABLE: readonly string[] = ["song", "playlist"];
/** Maximum number of play entries beside the found items; with the word "play" all of them are listed. */
const MOST_BESIDE = 2;

/** Returns the query without a leading "play", and whether that word was there. */
export function playQuery(query: string): { readonly isPlay: boolean; readonly rest: string } {
  const [, rest] = /^\s*play\s+(.+)$/i.exec(query) ?? [];
  return { isPlay: rest !== undefined, rest: rest ?? query };
}

/** Returns the commands that control the show queue from any screen. */
export function nightCommands(can: (action: Action) => boolean, call: Call): readonly Command[] {
  const moves: readonly (readonly [string, DescMethodUnary, string])[] = [
    [text.night.next, rpc.skipSong, text.also.next],
    [text.night.pause, rpc.pauseMusic, text.also.pause],
    [text.night.resume, rpc.resumeMusic, text.also.resume],
  ];
  return moves
    .filter(([, method]) => can(method))
    .map(([name, method, also]) => ({
      id: `night ${name}`,
      kind: text.kinds.action,
      text: name,
      also,
      perform: () => void call(method, {}).then(() => showToast(text.night.done(name)), sayWhy),
    }));
}

/** Returns commands that play the found songs and playlists to everyone. */
export function playCommands(
  found: readonly Thing[],
  isPlay: boolean,
  can: (action: Action) => boolean,
  call: Call,
): readonly Command[] {
  return found
    .filter(
      ({ id }) => PLAYABLE.includes(kindOf(id)) && can(kindOf(id) === "song" ? rpc.broadcastSong : rpc.playPlaylist),
    )
    .slice(0, isPlay ? found.length : MOST_BESIDE)
    .map(({ id, text: name, kind }) => {
      const key = id.slice(kindOf(id).length + 1);
      const play = () =>
        kindOf(id) === "song" ? call(rpc.broadcastSong, { songId: key }) : call(rpc.playPlaylist, { playlistId: key });
      return {
        id: `${PLAY}${id}`,
        kind,
        detail: kind,
        text: text.night.play(name),
        perform: () => void play().then(() => showToast(text.night.plays(name)), sayWhy),
      };
    });
}

const PLAY = "play ";
export const isPlayCommand = ({ id }: Pick<Command, "id">): boolean => id.startsWith(PLAY);

const kindOf = (id: string) => id.slice(0, id.indexOf(" "));
