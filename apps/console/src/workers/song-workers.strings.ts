import { countOf } from "../lib/formatting.ts";

export const songWorkersStrings = {
  title: "Workers",
  unread: (why: string) => `Who works on songs could not be read. ${why}`,
  own: "This server",
  states: { works: "Works", waits: "Waits", aside: "Set aside", new: "Not started yet" } as Readonly<
    Record<string, string>
  >,
  notSeen: (ago: string) => `Last seen ${ago}`,
  version: (version: string) => `version ${version}`,
  cores: (cores: number) => countOf(cores, "core", "cores"),
  onlySteps: (steps: readonly string[]) => `takes ${steps.join(", ")} only`,
  songsToday: (songs: number) => `${countOf(songs, "song", "songs")} today`,
  steps: {
    download: "download",
    analysis: "analysis",
    lighting: "show",
    stems: "stems",
  } as Readonly<Record<string, string>>,
  at: (step: string, title: string, note: string) =>
    [`${step} of ${title || "a song"}`, note].filter(Boolean).join(", "),
  progressOf: (step: string, title: string) => `How far the ${step} of ${title || "a song"} is`,
  alone: "Many songs, and they come slowly?",
  aloneHint:
    "Another machine can download, hear and plan songs for this server: one in the office, or one rented for a day. It needs Followspot, this server's address and a token; nothing has to reach it.",
  add: "Add a Worker",
  addWhat: "A worker is another machine that downloads, hears and plans songs for this server.",
  name: "Name of its machine",
  nameMissing: "Name is required",
  addLabel: "Add Worker",
  adding: "Adding...",
  startTitle: (name: string) => `Start ${name}`,
  startWhat:
    "Run this on that machine, in a checkout of the same version of Followspot. The token is shown this once. Keep it secret: with it, any machine can read the songs of this server.",
  command: "Command",
  copy: "Copy",
  copied: "Command copied",
  copyFailed: "The browser did not let us copy. Select the command by hand.",
  done: "Done",
  rename: "Rename",
  renameOf: (name: string) => `Rename ${name}`,
  renameLabel: "Save Name",
  revoke: "Revoke",
  revokeOf: (name: string) => `Revoke ${name}`,
  revokeTitle: (name: string) => `Revoke ${name}`,
  revokeMessage:
    "Its token opens nothing from now on, and the worker ends. Songs that it works on go to others within seconds. To let the machine work again, add it anew.",
  revokeLabel: "Revoke Worker",
  revoked: (name: string) => `${name} is revoked`,
  letWork: "Let It Work Again",
  letWorkOf: (name: string) => `Let ${name} work again`,
  letWorkFailed: (why: string) => `It is still set aside. ${why}`,
} as const;
