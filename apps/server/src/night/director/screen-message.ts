import { create, toJson } from "@bufbuild/protobuf";
import { StageScreenSchema, type StageScreen } from "@followspot/contract/director";
import { timestampOf } from "../../platform/database/timestamps.ts";
import { stateOf, type ScreenRow } from "./screens.store.ts";
import { isTimerOver } from "./stage-screen.ts";

export function toScreen(row: ScreenRow): StageScreen {
  return create(StageScreenSchema, {
    id: row.id,
    view: row.announcement === "" ? row.view : "announcement",
    status: row.status,
    announcement: row.announcement,
    announcementEndsAt: timestampOf(row.announcement_ends_at),
    talkId: row.talk_id ?? "",
    talkSince: timestampOf(row.talk_since),
    talkTitle: row.talk_title ?? "",
    playerId: row.player_id ?? "",
    playerName: row.player_name ?? "",
    timerEndsAt: timestampOf(row.timer_ends_at),
    timerIsOver: isTimerOver(stateOf(row), row.read_at),
    timerSeconds: row.timer_seconds,
    showsLamps: row.shows_lamps,
    revision: row.revision,
    serverTime: timestampOf(row.read_at),
    updatedAt: timestampOf(row.updated_at),
  });
}

/** Returns the payload of a change for subscribers. */
export const screenPayload = (row: ScreenRow) => ({ screen: toJson(StageScreenSchema, toScreen(row)) });
