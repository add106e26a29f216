import type { MusicDuringTalks } from "@followspot/contract";
import type { Entry } from "../../platform/database/change.ts";
import type { Tx } from "../../platform/database/database.ts";
import { described, moveQueue, positionOf, resumed } from "./show-queue.ts";
import { lockQueue, type NextQueue, type QueueRow } from "./show-queue.store.ts";
import { afterTalk, duringTalk, type TalkState } from "./talk-music.ts";

/**
 * Changes the music for a talk that was put on a stage screen, or for its end. A queue that follows another server stays
 * as it is. Callers hold the lock of the show queue, which comes before the screen in the lock order.
 * @param music behavior of the music during the talk; undefined for the end of the talk
 * @returns entry of the change; undefined if nothing changed
 */
export async function followTalk(
  tx: Tx,
  screen: string,
  music: MusicDuringTalks | undefined,
): Promise<Entry | undefined> {
  const queue = await lockQueue(tx);
  if (queue.is_mirrored) return undefined;
  const next = music === undefined ? afterTalk(queue, screen) : duringTalk(queue, screen, music);
  if (isSame(queue, next)) return undefined;
  await moveQueue(tx, queue, inState(queue, next));
  const [entry] = (await described(tx, queue, verbOf(queue, next))).entries;
  return entry;
}

function inState(queue: QueueRow, { mode, for_talk, talk_screen }: TalkState): NextQueue {
  const talk = { for_talk, talk_screen };
  if (mode === queue.mode) return { ...queue, ...talk };
  if (mode === "playing") return { ...resumed(queue, queue.paused_at ?? 0), ...talk };
  return { ...queue, ...talk, mode, paused_at: positionOf(queue) };
}

function verbOf(before: TalkState, after: TalkState): string {
  if (before.mode !== after.mode) return after.mode === "paused" ? "paused" : "resumed";
  return after.for_talk === "quiet" ? "lowered" : "raised";
}

const isSame = (a: TalkState, b: TalkState): boolean =>
  a.mode === b.mode && a.for_talk === b.for_talk && a.talk_screen === b.talk_screen;
