import { isDeepStrictEqual } from "node:util";
import type { Tx } from "../../platform/database/database.ts";
import { postEnvelope } from "../../platform/database/outbox.ts";
import {
  forgetClosedPlayers,
  forgetEarlierConnections,
  listOpenPlayers,
  storeOpenPlayers,
  type PlayerFacts,
} from "./open-players.store.ts";
import { lockPaPlayer, storePaPlayer } from "./pa-player.store.ts";
import { awayOf, becomesHeard, heardNow } from "./who-is-heard.ts";

/** Limit of open players at all APIs together. A community has one PA and perhaps a second machine beside it. */
const MOST_PLAYERS = 20;

/** Event that announces a new active player to all APIs. */
export const PLAYER_HEARD = "player.heard";
/** Topic for APIs only; pages cannot subscribe to it. */
const TOPIC_OF_APIS = "players";

export interface HeardPage {
  readonly page: string;
  readonly name: string;
}

/** A player that opens, or asks again to become active. */
interface Greeted {
  readonly facts: PlayerFacts;
  /** Seed of the link its key was made for; undefined for the sound output. */
  readonly seed: Buffer | undefined;
  /** Whether a user has pressed the button. */
  readonly takesOver: boolean;
  /** Time for which this API has reached the database without a break, ms. */
  readonly watchedMs: number;
}

type Admitted =
  /** The link was withdrawn. */
  | "withdrawn"
  /** The limit of open players is reached. */
  | "full"
  | { readonly isHeard: boolean; readonly wasActive: boolean };

/**
 * Decides whether a player becomes the active one. Runs serially over all APIs: of two simultaneous players the second
 * sees the first.
 */
export async function admitPlayer(tx: Tx, { facts, seed, takesOver, watchedMs }: Greeted): Promise<Admitted> {
  const { page, is_output: isOutput } = facts;
  const before = await lockPaPlayer(tx);
  if (!isOutput && !(seed && before.seed?.equals(seed))) return "withdrawn";
  const players = await listOpenPlayers(tx);
  const others = players.filter((player) => player.is_open && player.page !== page);
  if (new Set(others.map((player) => player.page)).size >= MOST_PLAYERS) return "full";
  const greeting = { page, isOutput, takesOver };
  const away = awayOf(
    players.find((player) => player.page === before.heard_page),
    watchedMs,
  );
  const isHeard = becomesHeard(greeting, before, away);
  const after = isHeard ? heardNow(before, greeting, facts.name) : before;
  if (!isDeepStrictEqual(before, after)) await storePaPlayer(tx, after);
  if (after.heard_page !== before.heard_page) {
    const heard: HeardPage = { page: after.heard_page, name: after.heard_name };
    await postEnvelope(tx, [TOPIC_OF_APIS], PLAYER_HEARD, heard);
  }
  await storeOpenPlayers(tx, [facts]);
  await forgetEarlierConnections(tx, page, facts.line);
  await forgetClosedPlayers(tx, after.heard_page);
  return { isHeard, wasActive: before.heard_page === page };
}
