export const workersStrings = {
  title: "Message Streaming Dashboard",
  active: (count: number) => `${count} stream(s) active`,
  refresh: "Refresh",
  updated: "Last updated",
  notUpdated: "Not up to date since",
  every: (seconds: number) => `every ${seconds} s`,
  unavailable: "Queue stats endpoint unavailable",
  brokerDown: "Failed to load queue data. Make sure NATS is running.",
  noStreams: "No streams found. Make sure the streaming service (NATS) is running.",
  waiting: (count: string) => `${count} waiting`,
  nothingWaiting: "Nothing waiting",
  lag: "Waiting",
  oldest: "Oldest",
  noOldest: "—",
  ageOf: (seconds: number) =>
    seconds < 60
      ? `${Math.floor(seconds)} s`
      : seconds < 3600
        ? `${Math.floor(seconds / 60)} min`
        : `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`,
  noTrend: "No trend yet",
  lastHour: "Last hour",
  lastMinutes: (minutes: number) => `Last ${minutes} min`,
  trendOf: (highest: number, now: number) =>
    `At most ${highest.toLocaleString("en")} waited, ${now.toLocaleString("en")} wait now`,
  whyNot: "What cannot be done",
  messages: "Messages",
  size: "Size",
  consumers: "Consumers",
  consumersOf: (stream: string) => `Consumers of ${stream}`,
  sequence: "Sequence",
  subjects: "Subjects",
  filter: (subject: string) => `Filter: ${subject}`,
  delivered: (count: string) => `Delivered: ${count}`,
  pending: (count: string) => `Pending: ${count}`,
  acknowledging: (count: string) => `Ack: ${count}`,
  downloaders: "Downloader of links",
  downloadersUnread: (why: string) => `What downloads links could not be read. ${why}`,
  noWorker: "No worker is running: songs wait until one is.",
  noVersion: "None yet",
  noVersionHint: "It is fetched when the first link comes.",
  fetching: (percent: number) => `Fetching ${percent} %`,
  works: "Works",
  lacking: "Does not work",
  age: (days: number, day: string) =>
    `${days === 0 ? "released today" : days === 1 ? "1 day old" : `${days} days old`}, of ${day}`,
  sources: {
    setting: "named by FOLLOWSPOT_YTDLP",
    path: "installed on the server",
    fetched: "fetched by Followspot",
  } as Readonly<Record<string, string>>,
  backups: "Backups",
  lastBackup: (ago: string, size: string) => `Last backup: ${ago}, ${size}`,
  backupFailed: (ago: string, problem: string) => `A backup failed ${ago}: ${problem}`,
  noBackup: "No backup yet.",
  noBackupHint:
    "Run npm run -s admin -- backup FOLDER on the server, or set FOLLOWSPOT_BACKUP_DIR so that they are taken by themselves.",
} as const;
