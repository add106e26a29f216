import { byteSize, countOf } from "../lib/formatting.ts";

export const venuesStrings = {
  title: "Venues",
  unread: (why: string) => `The venues could not be read. ${why}`,
  none: "Does the internet at your venue fail?",
  noneHint:
    "A small computer there, the box, fetches tonight ahead. Show, desk, sound and door go on from it when the connection is cut, and what happened is told here afterwards.",
  states: { here: "Connected", new: "Not started yet" } as Readonly<Record<string, string>>,
  notSeen: (ago: string) => `Last seen ${ago}`,
  version: (version: string) => `version ${version}`,
  tonight: (event: string) => (event === "" ? "Nothing is on there" : `Tonight: ${event}`),
  holds: (of: { readonly event: string; songs: number; songsOf: number; bytes: bigint; people: number }) =>
    [
      `Holds ${of.event}`,
      `${of.songs.toLocaleString("en")} ${of.songs === 1 ? "song" : "songs"} of ${of.songsOf.toLocaleString("en")}`,
      byteSize(Number(of.bytes)),
      countOf(of.people, "person", "people"),
    ].join(", "),
  asOf: (time: string) => `as of ${time}`,
  waiting: (count: number) => `${countOf(count, "thing waits", "things wait")} to be told`,
  add: "Add a Venue",
  addWhat: "A venue has a box: a small computer on which Followspot runs and lamps and sound hang.",
  isStandby: "A standby for this machine",
  standby: "standby of this machine",
  standbyWhat:
    "It has the same lamps, outputs and tonight as this machine, plays along silently, and drives the lamps within three seconds when this machine does not.",
  name: "Name of the venue",
  addLabel: "Add Venue",
  adding: "Adding...",
  startTitle: (name: string) => `Start the box of ${name}`,
  startWhat:
    "Run this on the box, in a checkout of the same version of Followspot. The token is shown this once. Keep it secret: with it, any machine can read tonight's people and songs.",
  startStandby:
    "Run this on the second machine, in the same network as the lamps and in a checkout of the same version of Followspot. This machine must be reached from there at the address in the command. The token is shown this once. Keep it secret.",
  choose: "Choose tonight",
  chooseOf: (name: string) => `Choose what is on at ${name}`,
  event: "Event",
  noEvent: "Nothing",
  playlists: "Playlists",
  noPlaylists: "There are no playlists.",
  chooseLabel: "Save Tonight",
  saving: "Saving...",
  revoke: "Revoke",
  revokeOf: (name: string) => `Revoke ${name}`,
  revokeMessage:
    "Its token opens nothing from now on. What its box holds stays there, and what waits there is not taken over. To use the box again, add the venue anew.",
  revokeLabel: "Revoke Venue",
  revoked: (name: string) => `${name} is revoked`,
} as const;
