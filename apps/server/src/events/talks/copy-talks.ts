import type { CopyTalks } from "../duplicate-event.ts";
import type { Entry } from "../../platform/database/change.ts";
import { copyImage } from "../../platform/pictures/images.ts";
import { talkEntry } from "./talk-message.ts";
import * as talks from "./talks.store.ts";

/** Copies the talks of an event into another one: text, speakers and images, but no votes and no feedback. */
export const copyTalks: CopyTalks = async (tx, { from, to, moved }) => {
  const entries: Entry[] = [];
  for (const { title, body, start_at, user_id, image_id } of await talks.holdTalksOf(tx, from)) {
    const id = await talks.insertTalk(tx, {
      title,
      body,
      start_at: start_at && moved(start_at),
      user_id,
      event_id: to,
      image_id: await copyImage(tx, image_id),
    });
    entries.push(talkEntry("created", undefined, (await talks.findTalk(tx, id))!)); // just created
  }
  return entries;
};
