import type { Server } from "./product.ts";

/** IDs of the demo night's rows. */
export interface Shown {
  readonly eventId: string;
  readonly songId: string;
  readonly personId: string;
  readonly talkId: string;
  readonly lightId: string;
  readonly threadId: string;
  readonly playlistId: string;
  /** Path of the page that a stage link opens. */
  readonly stagePath: string;
}

/** Makes the demo night as its button does, sends it to an Art-Net node, and plays it. */
export async function showNight(product: Server, node: { readonly port: number }): Promise<Shown> {
  const steps = (method: string) => product.call(`firststeps.v1.FirstStepsService/${method}`, {});
  const music = (method: string, body: object = {}) => product.call(`music.v1.MusicService/${method}`, body);
  await steps("MakeDemoNight");
  await wait(async () => (await steps("GetFirstSteps")).demoNight.state === "made");
  const areLit = async () => {
    const { songs } = await music("ListSongs");
    return songs.every(({ lightingStatus }: { lightingStatus: string }) => lightingStatus === "ready") && songs;
  };
  const songs = await wait(areLit);
  const output = { protocol: "artnet", host: "127.0.0.1", port: node.port, enabled: true };
  const outputs = [1, 2, 3].map((universe) => ({ ...output, universe, port_address: universe - 1 }));
  await product.call("lights.v1.LightsService/SetOutputs", { outputs });
  const { playlists } = await music("ListPlaylists");
  const { events } = await product.call("event.v1.EventService/ListEvents", {});
  const { users } = await product.call("user.v1.UserService/ListUsers", { list: { query: "Demo: Mira" } });
  const { talks } = await product.call("talk.v1.TalkService/ListTalks", {});
  const { lights } = await product.call("lights.v1.LightsService/ListLights", {});
  const { threads } = await product.call("chat.v1.ChatService/ListThreads", {});
  const { link } = await product.call("director.v1.DirectorService/CreateStageLink", { event_id: events[0].id });
  await music("PlayPlaylist", { playlist_id: playlists[0].id });
  return {
    eventId: events[0].id,
    songId: songs.find(({ title }: { title: string }) => title.includes("Second-hand"))?.id ?? songs[0].id,
    personId: users[0].id,
    talkId: talks[0].id,
    lightId: String(lights[0].id),
    threadId: threads[0].id,
    playlistId: playlists[0].id,
    stagePath: link.path,
  };
}

async function wait<T>(look: () => Promise<T | false>): Promise<T> {
  for (const end = Date.now() + LONGEST_MS; ;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error("the demo night did not come");
    await new Promise((next) => setTimeout(next, LOOK_MS));
  }
}

const LOOK_MS = 300;
const LONGEST_MS = 180_000;
