import { createHash } from "node:crypto";
import type { StagePicture, StageShown } from "@followspot/contract";
import { findEvent } from "../../events/events.store.ts";
import type { Db } from "../../platform/database/database.ts";
import { findTalk } from "../../events/talks/talks.store.ts";
import { findPlayer, readLeaders } from "./players.store.ts";
import { DEFAULT_SCREEN, readScreen, type ScreenRow } from "./screens.store.ts";

const HOME: StageShown = { view: "home" };

export interface ReadPicture {
  readonly picture: StagePicture;
  /** Database time of the read, by which everything on the screen ends. */
  readonly readAt: Date;
}

/** Returns the content of a screen; undefined if its event was deleted. */
export async function readPicture(
  db: Db,
  screenId: string,
  song: StagePicture["song"],
): Promise<ReadPicture | undefined> {
  const event = screenId === DEFAULT_SCREEN ? undefined : await findEvent(db, screenId);
  if (screenId !== DEFAULT_SCREEN && (!event || event.deleted_at)) return undefined;
  const screen = await readScreen(db, screenId);
  const { revision, status, timer_ends_at, timer_seconds, shows_lamps } = screen;
  const picture: StagePicture = {
    title: event?.title ?? "",
    revision,
    shown: await shownOn(db, screen),
    status,
    timer: timer_ends_at ? { ends_at: timer_ends_at.getTime(), seconds: timer_seconds } : null,
    song,
    lamps: shows_lamps,
  };
  return { picture, readAt: screen.read_at };
}

/** Returns the image of the talk on a screen, also if an announcement covers it; undefined if there is none. */
export async function readTalkImage(
  db: Db,
  screenId: string,
): Promise<{ mime_type: string; bytes: Buffer } | undefined> {
  const { view, talk_id } = await readScreen(db, screenId);
  if (view !== "talk" || !talk_id) return undefined;
  const [image] = await db<{ mime_type: string; bytes: Buffer }[]>`
    select mime_type, bytes from images
    where id = (select image_id from talks where id = ${talk_id} and deleted_at is null)`;
  return image;
}

/** Replaces deleted content with the home screen. */
async function shownOn(db: Db, screen: ScreenRow): Promise<StageShown> {
  if (screen.announcement !== "") return { view: "announcement", text: screen.announcement };
  switch (screen.view) {
    case "home":
      return HOME;
    case "talk": {
      const talk = screen.talk_id ? await findTalk(db, screen.talk_id) : undefined;
      if (!talk) return HOME;
      return { view: "talk", title: talk.title, speaker: talk.user_name ?? "", image: tagOf(talk.image_id) };
    }
    case "leaderboard":
      return { view: "leaderboard", players: (await readLeaders(db)).map(({ name, points }) => ({ name, points })) };
    case "player": {
      const player = screen.player_id ? await findPlayer(db, screen.player_id) : undefined;
      return player ? { view: "player", name: player.name, points: player.points } : HOME;
    }
    default:
      return screen.view satisfies never;
  }
}

/** Returns a text that differs for each image and does not reveal its ID. */
const tagOf = (imageId: string | null): string =>
  imageId ? createHash("sha256").update(imageId).digest("base64url").slice(0, 12) : "";
