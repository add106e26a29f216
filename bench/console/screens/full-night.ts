import type { Shown } from "../../../e2e/testing/demo-night.ts";
import type { Product } from "../../../e2e/testing/product.ts";

const MINUTE_MS = 60_000;
/** The doors are open, the first talk is over, and so many people have come. */
const BEGAN_MS = 50 * MINUTE_MS;
const LASTS_MS = 4 * 60 * MINUTE_MS;
const TALKS_APART_MS = 60 * MINUTE_MS;
const CAME = 5;

/** Moves the demo night to now: people are registered and come in, so that the screens of a night have something to show. */
export async function beginNight(product: Product, { eventId }: Shown): Promise<void> {
  const events = (method: string, body: object) => product.call(`event.v1.EventService/${method}`, body);
  const began = Date.now() - BEGAN_MS;
  const at = (ms: number) => new Date(ms).toISOString();
  const night = { starts_at: at(began), ends_at: at(began + LASTS_MS), registration: "open", places: 40 };
  await events("UpdateEvent", { event_id: eventId, ...night });
  const { talks } = await product.call("talk.v1.TalkService/ListTalks", { event_id: eventId });
  for (const [i, { id }] of talks.entries())
    await product.call("talk.v1.TalkService/UpdateTalk", { talk_id: id, start_at: at(began + i * TALKS_APART_MS) });
  const { users } = await product.call("user.v1.UserService/ListUsers", { list: { query: "Demo" } });
  for (const { id } of users) await events("RegisterPerson", { event_id: eventId, user_id: id });
  await events("Register", { event_id: eventId });
  const { codes } = await events("ListAttendeeCodes", { event_id: eventId });
  for (const { code } of codes.slice(0, CAME)) await events("ScanQr", { event_id: eventId, code });
}

/** Begins the playlist anew: it is over in five minutes, and taking pictures takes longer. */
export const playAgain = (product: Product, { playlistId }: Shown): Promise<unknown> =>
  product.call("music.v1.MusicService/PlayPlaylist", { playlist_id: playlistId });
