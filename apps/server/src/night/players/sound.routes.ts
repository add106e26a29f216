import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { PLAYER_PATHS } from "@followspot/contract";
import { SoundSchema, SoundService, type Sound } from "@followspot/contract/sound";
import { requireCaller } from "../../platform/caller.ts";
import { change, done } from "../../platform/database/change.ts";
import type { Sql } from "../../platform/database/database.ts";
import { linkKey, newLinkSeed } from "../../platform/http/link-key.ts";
import { lockPaPlayer, readPaPlayer, storePaPlayer, type PaPlayerRow } from "./pa-player.store.ts";
import { PLAYER_LINK, type Players } from "./players.ts";
import { readSeenPlayers } from "./seen-players.ts";

export interface SoundPorts {
  readonly sql: Sql;
  readonly secret: Uint8Array;
  readonly players: Pick<Players, "refresh">;
}

const ENTRY = { noun: "sound", id: "all" } as const;

/** API of the player at the PA: volume, active player, and the link that opens it. */
export function soundRoutes({ sql, secret, players }: SoundPorts) {
  async function describe(row: PaPlayerRow): Promise<Sound> {
    const { heard, silent } = await readSeenPlayers(sql, row);
    return create(SoundSchema, {
      volume: row.volume,
      isMuted: row.is_muted,
      ...(row.level !== null && { level: row.level }),
      ...(heard && {
        heard: { ...heard, levelsDb: [...heard.levelsDb], since: heard.since && timestampFromDate(heard.since) },
      }),
      silent: [...silent],
      // Behind the `#`: browsers never send the fragment to a server, so no proxy log contains it.
      linkPath: row.seed ? `${PLAYER_PATHS.page}#${linkKey(secret, PLAYER_LINK, "", row.seed)}` : "",
    });
  }

  /** Changes the row and notifies players and consoles. */
  async function store(context: Parameters<typeof requireCaller>[0], verb: string, next: Partial<PaPlayerRow>) {
    const row = await change(sql, requireCaller(context), async (tx) => {
      const before = await lockPaPlayer(tx);
      const after = { ...before, ...next };
      await storePaPlayer(tx, after);
      return done(after, { ...ENTRY, verb, before: settingsOf(before), after: settingsOf(after) });
    });
    players.refresh();
    return { sound: await describe(row) };
  }

  return (router: ConnectRouter) =>
    router.service(SoundService, {
      getSound: async () => ({ sound: await describe(await readPaPlayer(sql)) }),
      setSound: ({ volume, isMuted, level, asRecorded }, context) =>
        store(context, "updated", {
          ...(volume !== undefined && { volume }),
          ...(isMuted !== undefined && { is_muted: isMuted }),
          ...(level !== undefined && { level }),
          ...(asRecorded && { level: null }),
        }),
      createPlayerLink: (_request, context) => store(context, "link_created", { seed: newLinkSeed() }),
      withdrawPlayerLink: (_request, context) =>
        store(context, "link_withdrawn", { seed: null, heard_page: "", heard_name: "", displaced_page: "" }),
    });
}

const settingsOf = ({ volume, is_muted, level, seed }: PaPlayerRow) => ({
  volume,
  is_muted,
  level,
  has_link: seed !== null,
});
