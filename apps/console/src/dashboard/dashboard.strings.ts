import { countOf } from "../lib/formatting.ts";

/** Longer is told in minutes. */
const MOST_SECONDS = 100;

export const dashboardStrings = {
  subtitle: "System overview and statistics",
  notUpdated: (time: string) => `Not up to date since ${time}`,
  updated: (ago: string) => `Updated ${ago}`,
  health: {
    title: "System Health",
    queue: "Queue Items",
    queueCaption: "Pending processing",
    queueTrend: (highest: number, minutes: number) =>
      `In the last ${minutes >= 60 ? "hour" : `${minutes} minutes`} ${highest.toLocaleString("en")} at most waited`,
    workers: "Active Workers",
    workersCaption: "Processing queue",
    atMost: (highest: number, minutes: number) =>
      `${minutes >= 60 ? "1 h" : `${minutes} min`} · max ${highest.toLocaleString("en")}`,
    litThen: (songs: number, hoursAgo: number) => `${countOf(songs, "song", "songs")} lit ${ago(hoursAgo)}`,
    inADay: (songs: number) => `24 h · ${songs.toLocaleString("en")} lit`,
    lit: (songs: number) => `${countOf(songs, "song was", "songs were")} lit in the last 24 hours`,
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
  toLight: (seconds: number) =>
    `${seconds < MOST_SECONDS ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`} to light`,
  toLightAtMost: (seconds: number) => `24 h · max ${seconds.toLocaleString("en")} s`,
  toLightThen: (seconds: number, hoursAgo: number) => `${seconds.toLocaleString("en")} s to light ${ago(hoursAgo)}`,
  toLightByHour: "How long songs took to their light, hour by hour",
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

const ago = (hours: number): string =>
  hours === 0 ? "in the last hour" : hours === 1 ? "an hour before" : `${hours} hours before`;
