/** Texts of the page for a projector. */
export const stagePageStrings = {
  title: "Stage",
  connecting: "Connecting...",
  behind: (at: string) => `Reconnecting. As of ${at}`,
  ended: "This link shows nothing any more.",
  endedHint: "Ask for a new one.",
  noKey: "This address is not whole.",
  noKeyHint: "Open the link from the console, or scan its code.",
  timeIsUp: "Time is up",
  leaderboard: "Leaderboard",
  noPlayers: "No points yet",
  points: (points: number) => points.toLocaleString("en"),
  pointsOf: (points: number) => `${points.toLocaleString("en")} ${points === 1 ? "point" : "points"}`,
  playing: "Now playing",
  announcement: "Announcement",
  untitled: "Untitled talk",
} as const;
