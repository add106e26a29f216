import { countOf, timeOfDay } from "../lib/formatting.ts";

/** Longer is told in minutes. */
const MOST_SECONDS = 100;

const duration = (seconds: number): string =>
  seconds < MOST_SECONDS ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;

export const dashboardStrings = {
  subtitle: "System overview and statistics",
  notUpdated: (time: string) => `Not up to date since ${time}`,
  updated: (ago: string) => `Updated ${ago}`,
  health: {
    title: "System Health",
    queue: "Queue Items",
    queueCaption: "Pending processing",
    queueTrend: (highest: number, minutes: number) =>
      `At most ${highest.toLocaleString("en")} waited in the last ${minutes >= 60 ? "hour" : minutes === 1 ? "minute" : `${minutes} minutes`}`,
    span: (minutes: number) => (minutes >= 60 ? "1 h" : `${minutes} min`),
    atMost: (highest: number) => `max ${highest.toLocaleString("en")}`,
    workers: "Active Workers",
    workersCaption: "Processing queue",
    failures: "Recent Failures",
    failuresCaption: "Last 10 attempts",
  },
  stage: {
    title: "Stage Output",
    sending: (outputs: number, lateMs: number) =>
      `${dashboardStrings.stage.outputs(outputs)} · late by ${lateMs.toFixed(1)} ms (p95)`,
    outputs: (n: number) => (n === 1 ? "1 output" : `${n} outputs`),
    on: "On",
    silent: "Silent",
    down: (n: number) => `${n} down`,
    none: "No output",
    loadError: "Error loading outputs",
  },
  content: {
    title: "Content Overview",
    users: "Users",
    verified: (n: number) => `${n.toLocaleString("en")} verified`,
    events: "Events",
    songs: "Songs",
    ready: (n: number) => `${n.toLocaleString("en")} ready`,
    processing: (n: number) => `${n.toLocaleString("en")} processing`,
    downloading: (n: number) => `${n.toLocaleString("en")} downloading`,
    error: (n: number) => `${n.toLocaleString("en")} error`,
    lights: "Lights",
    enabled: (n: number) => `${n.toLocaleString("en")} enabled`,
  },
  actions: {
    title: "Quick Actions",
    workers: "View Workers Dashboard",
    workersText: "Monitor queue processing and failures",
    song: "Add New Song",
    songText: "Import music from the video site",
  },
  tonight: {
    title: "Tonight",
    next: "Next event",
    none: "No event is on or planned.",
    loadError: "Error loading events",
    newEvent: "New Event",
    talks: (n: number) => (n === 0 ? "Talks" : n === 1 ? "1 talk" : `${n} talks`),
    noPlaylist: "No playlist has songs yet.",
    ready: "Playlists ready",
    readyOf: (ready: number, all: number) => `${ready}/${all}`,
    open: "Open Tonight",
    preflight: "Preflight",
  },
  inFlight: "In flight now",
  pace: {
    title: "Songs of the last 24 hours",
    none: "No song came in and was lit in the last 24 hours.",
    lit: "Lit",
    highestHour: (value: string) => `highest hour ${value}`,
    litByHour: "Songs lit, hour by hour",
    litThen: (songs: number, hoursAgo: number) =>
      `${hourOf(hoursAgo)} · ${songs === 0 ? "no song" : countOf(songs, "song", "songs")} lit`,
    toLight: "Median time to light",
    toLightByHour: "How long songs took to their light, hour by hour",
    toLightThen: (hour: { readonly seconds: number; readonly longest: number } | undefined, hoursAgo: number) =>
      `${hourOf(hoursAgo)} · ${hour ? `median ${duration(hour.seconds)}, longest ${duration(hour.longest)}` : "no song lit"}`,
    duration,
    now: "now",
  },
  nothingInFlight: "No song is being processed.",
  attention: "Needs attention",
  nothingToDo: "Nothing needs you.",
  more: (n: number) => `${n.toLocaleString("en")} more`,
  songsFailed: (n: number) => `${n} songs failed`,
  retryAll: "Retry all",
  retryAllOf: (reason: string) => `Retry all: ${reason}`,
  loadErrors: {
    users: "Error loading users",
    events: "Error loading events",
    songs: "Error loading songs",
    lights: "Error loading lights",
  },
} as const;

const HOUR_MS = 3_600_000;

/** An hour of the clock, "8:00 PM to 9:00 PM"; 0 is the one that is not over. */
function hourOf(hoursAgo: number): string {
  const from = startOfHour(hoursAgo);
  const day = from.toDateString() === new Date().toDateString() ? "" : "Yesterday ";
  return hoursAgo === 0
    ? `Since ${timeOfDay(from)}`
    : `${day}${timeOfDay(from)} to ${timeOfDay(new Date(from.getTime() + HOUR_MS))}`;
}

/** Hours of the clock as the server counts them. */
export const startOfHour = (hoursAgo: number): Date =>
  new Date((Math.floor(Date.now() / HOUR_MS) - hoursAgo) * HOUR_MS);
