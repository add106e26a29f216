import type { Product } from "../../../e2e/testing/product.ts";

/** What the pictures are of: the demo night, its rows by id. */
export interface Shown {
  readonly eventId: string;
  readonly songId: string;
  readonly personId: string;
  readonly playlistId: string;
  /** Path of the page that a stage link opens. */
  readonly stagePath: string;
}

export interface Screen {
  readonly name: string;
  readonly path: (shown: Shown) => string;
  /** Needs the rows of a night: an empty installation has no such page. */
  readonly ofNight?: true;
  /** Draws the stage, which takes a while by software. */
  readonly hasStage?: true;
}

const admin = (path: string) => () => `/admin${path}`;

/** Every screen, in the order of the console's tabs. */
export const SCREENS: readonly Screen[] = [
  { name: "dashboard", path: admin("/") },
  { name: "users", path: admin("/users") },
  { name: "users-new", path: admin("/users?open=new") },
  { name: "users-import", path: admin("/users?open=import") },
  { name: "users-person", path: ({ personId }) => `/admin/users?person=${personId}`, ofNight: true },
  { name: "events", path: admin("/events") },
  { name: "events-month", path: admin("/events?view=month") },
  { name: "events-new", path: admin("/events?open=new") },
  { name: "talks", path: ({ eventId }) => `/admin/events/${eventId}/talks`, ofNight: true },
  { name: "check-in", path: ({ eventId }) => `/admin/events/${eventId}/check-in`, ofNight: true },
  { name: "registrations", path: ({ eventId }) => `/admin/events/${eventId}/registrations`, ofNight: true },
  { name: "director", path: ({ eventId }) => `/admin/events/${eventId}/stage`, ofNight: true },
  { name: "report", path: ({ eventId }) => `/admin/events/${eventId}/report`, ofNight: true },
  { name: "music", path: admin("/music") },
  { name: "music-add", path: admin("/music?add=true") },
  { name: "playlists", path: admin("/music/playlists") },
  { name: "setlist", path: ({ playlistId }) => `/admin/music/playlists/${playlistId}/setlist`, ofNight: true },
  { name: "visualizer", path: ({ songId }) => `/admin/music/${songId}/visualizer`, ofNight: true, hasStage: true },
  { name: "lights", path: admin("/lights") },
  { name: "lights-several", path: admin("/lights?open=several") },
  { name: "lights-library", path: admin("/lights?open=fixtures") },
  { name: "lights-outputs", path: admin("/lights?open=outputs") },
  { name: "lights-plan", path: admin("/lights?open=plan"), hasStage: true },
  { name: "lights-monitor", path: admin("/lights?open=monitor"), ofNight: true },
  { name: "lights-sheet", path: admin("/lights/sheet"), ofNight: true },
  { name: "calibration", path: admin("/lights/calibration") },
  { name: "desk", path: admin("/desk"), hasStage: true },
  { name: "tonight", path: admin("/tonight"), hasStage: true },
  { name: "preflight", path: admin("/preflight") },
  { name: "rehearsal", path: admin("/rehearsal") },
  { name: "workers", path: admin("/workers") },
  { name: "docs", path: admin("/docs") },
  { name: "log", path: admin("/log") },
  { name: "chat", path: admin("/chat") },
  { name: "guest", path: () => "/me" },
  { name: "stage-page", path: ({ stagePath }) => stagePath, ofNight: true },
];

/** Screens whose pictures stand in the guides. */
export const GUIDE: readonly string[] = [
  "dashboard",
  "talks",
  "check-in",
  "music",
  "playlists",
  "visualizer",
  "lights",
  "lights-plan",
  "lights-outputs",
  "desk",
  "tonight",
  "preflight",
  "workers",
];

/** Makes the demo night as its button does, sends it to a node, and plays it. */
export async function showNight(product: Product, node: { readonly port: number }): Promise<Shown> {
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
  const { link } = await product.call("director.v1.DirectorService/CreateStageLink", { event_id: events[0].id });
  await music("PlayPlaylist", { playlist_id: playlists[0].id });
  return {
    eventId: events[0].id,
    songId: songs.find(({ title }: { title: string }) => title.includes("Second-hand"))?.id ?? songs[0].id,
    personId: users[0].id,
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
