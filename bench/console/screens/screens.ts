import type { Shown } from "../../../e2e/testing/demo-night.ts";

export interface Screen {
  readonly name: string;
  readonly path: (shown: Shown) => string;
  /** Needs the rows of a night: an empty installation has no such page. */
  readonly ofNight?: true;
  /** Draws the stage, which takes a while by software. */
  readonly hasStage?: true;
  /** Pressed once it is there. */
  readonly keys?: readonly string[];
  /** A button that is pressed once the rows of a night are there. */
  readonly press?: string;
}

/** The whole song, and the playhead fifty seconds on. */
const IN_THE_CHORUS = ["f", ...Array.from({ length: 10 }, () => "ArrowRight")];

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
  {
    name: "visualizer",
    path: ({ songId }) => `/admin/music/${songId}/visualizer`,
    ofNight: true,
    hasStage: true,
    keys: IN_THE_CHORUS,
  },
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
  { name: "rehearsal", path: admin("/rehearsal"), press: "Rehearse" },
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
