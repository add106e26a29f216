import { NO_OUTPUT_ON, outputDown, type SongStep } from "@followspot/contract";
import type { SharedPhone } from "../community/users/shared-phones.ts";

/** Facts collected before doors open. */
export interface PreflightFacts {
  /** Songs of the checked playlists. */
  readonly songs: readonly PlaylistSong[];
  readonly playlists: number;
  /** Number of enabled fixtures. */
  readonly lamps: number;
  /** Universes that have fixtures and no output. */
  readonly unsentUniverses: readonly { readonly universe: number; readonly lamps: number }[];
  /** Fixtures whose type or mode is unknown. */
  readonly unknownLamps: readonly string[];
  /** Enabled outputs; undefined if the stage does not respond. */
  readonly outputs: readonly PreflightOutput[] | undefined;
  /** Why no output sends, if another machine drives the fixtures; "" if not. */
  readonly withheldBecause: string;
  readonly lampsSeen: { readonly dark: readonly string[]; readonly unseen: number };
  readonly player:
    | {
        readonly name: string;
        readonly isConnected: boolean;
        readonly isAllowed: boolean;
        readonly problem: string;
        readonly isDelaySet: boolean;
      }
    | undefined;
  readonly isMuted: boolean;
  readonly freeBytes: number;
  /** Clock of the client minus the server's, s; undefined if the client did not send it. */
  readonly clockSkew: number | undefined;
  /** Hours since the last complete backup; null if there is none. */
  readonly backupHours: number | null;
  readonly isBackupFailed: boolean;
  readonly workers: number;
  /** Why links could not be downloaded now; "" if they could. */
  readonly downloaderProblem: string;
  /** Configured channels for sign-in codes. */
  readonly codes: { readonly mail: boolean; readonly sms: boolean };
  /** Phone numbers that several users have. */
  readonly sharedPhones: readonly SharedPhone[];
  /** Problems of the server, as sentences. */
  readonly reasons: readonly string[];
  /** Events of the next days, earliest first. */
  readonly eventsWithoutTalks: readonly { readonly id: string; readonly title: string }[];
  /** Whether links and QR codes open on this machine only. */
  readonly areLinksLocal: boolean;
  /** Number of events of the next days. */
  readonly comingEvents: number;
  /** Those whose guests come by an invitation link, earliest first. */
  readonly eventsByInvitation: readonly { readonly id: string; readonly title: string }[];
}

export interface PreflightSong {
  readonly id: string;
  readonly title: string;
  readonly state: "ready" | "failed" | "at work";
  /** Why it failed. */
  readonly problem: string;
  /** Step from which a retry starts; undefined if only a new file helps. */
  readonly failedStep: SongStep | undefined;
  /** Whether its audio is silent, damaged or clipped. */
  readonly isDoubtful: boolean;
  /** Whether its show was planned for another rig. */
  readonly isOfOtherRig: boolean;
}

export interface PlaylistSong extends PreflightSong {
  /** The checked playlists that it is on. */
  readonly playlistIds: readonly string[];
}

export interface PreflightOutput {
  readonly name: string;
  readonly isDown: boolean;
  readonly error: string;
  /** Whether its Art-Net node stopped responding. */
  readonly isNodeSilent: boolean;
}

export interface Line {
  readonly id: string;
  readonly title: string;
  readonly state: "ok" | "warning" | "fault";
  readonly says: string;
  readonly path?: string;
  readonly action?: string;
  /** Steps that can be retried together. */
  readonly retries?: readonly { readonly songId: string; readonly step: SongStep }[];
  /** Places on playlists from which the songs can be removed. */
  readonly places?: readonly { readonly playlistId: string; readonly songId: string }[];
}

const LOW_BYTES = 2_000_000_000;
const NO_BYTES = 200_000_000;
/** Clock difference from which codes and door times fail, s. */
const MOST_SKEW = 30;
const OLD_BACKUP_HOURS = 48;
/** Number of days before an event from which its talks are checked. */
export const SOON_DAYS = 7;
/** Maximum number of names in a sentence. */
const MOST_NAMES = 4;

/** Runs all checks; each line states what to do if it is not ok. Pure. */
export function preflight(facts: PreflightFacts): readonly Line[] {
  return [
    server,
    songs,
    hearing,
    plans,
    patch,
    outputs,
    lamps,
    player,
    disk,
    clock,
    backup,
    downloader,
    codes,
    guestLinks,
    talks,
  ].map((look) => look(facts));
}

function server({ reasons, workers }: PreflightFacts): Line {
  const line = { id: "server", title: "Server" };
  if (reasons.length > 0) return { ...line, state: "fault", says: reasons.join(" "), ...to("/workers", "Workers") };
  if (workers === 0)
    return { ...line, state: "fault", says: "No worker is running: new songs wait. It is started again by itself; if it is not, look at the log.", ...to("/workers", "Workers") }; // prettier-ignore
  return { ...line, state: "ok", says: "Database, broker and worker answer." };
}

function songs({ songs: all, playlists }: PreflightFacts): Line {
  const line = { id: "songs", title: "Songs" };
  const open = to("/music/playlists", "Playlists");
  if (playlists === 0)
    return { ...line, state: "warning", says: "There is no playlist. Make one for the night.", ...open };
  if (all.length === 0) return { ...line, state: "fault", says: "No song is on a playlist. Add songs.", ...open };
  const failed = all.filter(({ state }) => state === "failed");
  if (failed.length > 0)
    return {
      ...line,
      state: "fault",
      says: `${count(failed.length, "song has", "songs have")} no show: ${named(failed)}. ${failed[0]!.problem}`.trim(),
      ...to("/music", "Music"),
      retries: retriesOf(failed),
      places: placesOf(failed),
    };
  const waiting = all.filter(({ state }) => state === "at work");
  if (waiting.length > 0)
    return {
      ...line,
      state: "warning",
      says: `${count(waiting.length, "song is", "songs are")} not ready yet: ${named(waiting)}. Wait, or take ${waiting.length === 1 ? "it" : "them"} off the playlist.`,
      ...to("/music", "Music"),
      places: placesOf(waiting),
    };
  return { ...line, state: "ok", says: `All ${count(all.length, "song", "songs")} of the playlists have a show.` };
}

/** Returns the retries for failed songs. */
export const retriesOf = (failed: readonly Pick<PreflightSong, "id" | "failedStep">[]) =>
  failed.flatMap(({ id, failedStep: step }) => (step ? [{ songId: id, step }] : []));

const placesOf = (songs: readonly PlaylistSong[]) =>
  songs.flatMap(({ id, playlistIds }) => playlistIds.map((playlistId) => ({ playlistId, songId: id })));

function hearing({ songs: all }: PreflightFacts): Line {
  const line = { id: "hearing", title: "Sound of the songs" };
  const doubtful = all.filter(({ isDoubtful }) => isDoubtful);
  if (doubtful.length === 0) return { ...line, state: "ok", says: "Nothing is silent, broken or distorted." };
  return {
    ...line,
    state: "warning",
    says: `The sound of ${named(doubtful)} is silent, broken or distorted. Listen to it, and get a better copy where you hear it.`,
    ...to("/music", "Music"),
  };
}

function plans({ songs: all }: PreflightFacts): Line {
  const line = { id: "plans", title: "Shows and rig" };
  const old = all.filter(({ isOfOtherRig }) => isOfOtherRig);
  if (old.length === 0) return { ...line, state: "ok", says: "The shows were made for the groups there are." };
  return {
    ...line,
    state: "warning",
    says: `The rig has groups that ${count(old.length, "show knows", "shows know")} nothing of: ${named(old)}. Plan them again.`,
    ...to("/music", "Music"),
    retries: old.map(({ id }) => ({ songId: id, step: "lighting" })),
  };
}

function patch({ lamps: on, unknownLamps }: PreflightFacts): Line {
  const line = { id: "patch", title: "Patch" };
  const open = to("/lights", "Lights");
  if (on === 0) return { ...line, state: "fault", says: "No lamp is on. Patch lamps, or switch them on.", ...open };
  if (unknownLamps.length > 0)
    return { ...line, state: "fault", says: `${unknownLamps.slice(0, MOST_NAMES).join(", ")}: the light type or mode is not known any more. Choose another one.`, ...open }; // prettier-ignore
  return { ...line, state: "ok", says: `${count(on, "lamp is", "lamps are")} patched, and no two share a channel.` };
}

function outputs({ outputs: all, unsentUniverses, withheldBecause }: PreflightFacts): Line {
  const line = { id: "outputs", title: "Outputs" };
  const open = to("/lights", "Lights");
  if (!all)
    return { ...line, state: "fault", says: "The stage does not answer. It is started again by itself within seconds; if it is not, look at the log.", ...open }; // prettier-ignore
  if (all.length === 0)
    return { ...line, state: "fault", says: NO_OUTPUT_ON, ...open }; // prettier-ignore
  if (withheldBecause !== "") return { ...line, state: "warning", says: withheldBecause, ...open };
  const [unsent] = unsentUniverses;
  if (unsent)
    return {
      ...line,
      state: "fault",
      says: `${count(unsent.lamps, "lamp", "lamps")} on universe ${unsent.universe} can get no light: no output sends that universe. Add one under Outputs.`,
      ...open,
    };
  const down = all.find(({ isDown }) => isDown);
  if (down)
    return { ...line, state: "fault", says: `${outputDown(down.name, down.error)} Look at its cable, power and address.`, ...open }; // prettier-ignore
  const silent = all.find(({ isNodeSilent }) => isNodeSilent);
  if (silent)
    return { ...line, state: "warning", says: `The node of "${silent.name}" does not answer. Look at its power and network; some nodes never answer.`, ...open }; // prettier-ignore
  return { ...line, state: "ok", says: `${count(all.length, "output sends", "outputs send")}.` };
}

function lamps({ lamps: on, lampsSeen: { dark, unseen } }: PreflightFacts): Line {
  const line = { id: "lamps", title: "Lamps seen" };
  if (on === 0) return { ...line, state: "warning", says: "There is no lamp to look at." };
  if (dark.length > 0)
    return {
      ...line,
      state: "fault",
      says: `Not seen: ${dark.slice(0, MOST_NAMES).join(", ")}. Look at power, cable, address and mode of each, then look again.`,
    };
  if (unseen > 0)
    return { ...line, state: "warning", says: `${count(unseen, "lamp was", "lamps were")} not looked at yet. Walk through them.` }; // prettier-ignore
  return { ...line, state: "ok", says: "Each lamp was seen." };
}

function player({ player: heard, isMuted }: PreflightFacts): Line {
  const line = { id: "player", title: "Sound" };
  const open = to("/music/playlists", "Sound");
  if (!heard)
    return { ...line, state: "warning", says: "No player is open: light plays, and nothing is heard. Open it on the machine with the PA.", ...open }; // prettier-ignore
  if (!heard.isConnected)
    return { ...line, state: "fault", says: `"${heard.name}" does not answer. Open its page again, and look at its network.`, ...open }; // prettier-ignore
  if (heard.problem) return { ...line, state: "fault", says: `"${heard.name}": ${heard.problem}`, ...open };
  if (!heard.isAllowed)
    return { ...line, state: "fault", says: `"${heard.name}" may not sound yet. Press "Start sound" there.`, ...open };
  if (isMuted) return { ...line, state: "warning", says: "Sound is muted.", ...open };
  // A hint and no warning: the delay of most speakers is the one reported by their sound card.
  const hint = heard.isDelaySet ? "" : " How late its sound is heard is not measured yet.";
  return { ...line, state: "ok", says: `"${heard.name}" is heard.${hint}` };
}

function disk({ freeBytes }: PreflightFacts): Line {
  const line = { id: "disk", title: "Disk" };
  const free = `${(freeBytes / 1e9).toFixed(1)} GB are free`;
  if (freeBytes < NO_BYTES) return { ...line, state: "fault", says: `Only ${free}: soon nothing can be stored. Free some.` }; // prettier-ignore
  if (freeBytes < LOW_BYTES) return { ...line, state: "warning", says: `Only ${free}. Free some before the night.` };
  return { ...line, state: "ok", says: `${free}.` };
}

function clock({ clockSkew }: PreflightFacts): Line {
  const line = { id: "clock", title: "Clock" };
  if (clockSkew === undefined) return { ...line, state: "ok", says: "The server's clock was not compared." };
  const apart = Math.abs(clockSkew);
  if (apart <= MOST_SKEW) return { ...line, state: "ok", says: "This machine and the server agree on the time." };
  const said = apart > 5400 ? `${Math.round(apart / 3600)} hours` : apart > 90 ? `${Math.round(apart / 60)} minutes` : `${Math.round(apart)} seconds`; // prettier-ignore
  return {
    ...line,
    state: "warning",
    says: `The server's clock is ${said} ${clockSkew > 0 ? "behind" : "ahead of"} this machine's. Let both set their time from the network; check-in and announcements go by the server's.`,
  };
}

function backup({ backupHours, isBackupFailed }: PreflightFacts): Line {
  const line = { id: "backup", title: "Backup" };
  const open = to("/workers", "Workers");
  if (isBackupFailed) return { ...line, state: "warning", says: "The last backup failed. Workers says why.", ...open };
  if (backupHours === null) return { ...line, state: "warning", says: "There is no backup yet.", ...open };
  const old = `The last backup is ${count(backupHours, "hour", "hours")} old`;
  if (backupHours > OLD_BACKUP_HOURS) return { ...line, state: "warning", says: `${old}. Take one before the night.`, ...open }; // prettier-ignore
  return { ...line, state: "ok", says: `${old}.` };
}

function downloader({ downloaderProblem }: PreflightFacts): Line {
  const line = { id: "downloader", title: "Links" };
  if (downloaderProblem) return { ...line, state: "warning", says: downloaderProblem, ...to("/workers", "Workers") };
  return { ...line, state: "ok", says: "Links can be downloaded." };
}

function codes({ codes: { mail, sms }, sharedPhones }: PreflightFacts): Line {
  const line = { id: "codes", title: "Sign-in codes" };
  const [shared] = sharedPhones;
  if (shared)
    return {
      ...line,
      state: "warning",
      says: `${named(shared.names.map((title) => ({ title })))} have one phone number, ${shared.phone}, and none of them can sign in with it. Remove the number from all but one.`,
      ...to("/users", "Users"),
    };
  if (mail || sms)
    return { ...line, state: "ok", says: `Codes go out by ${[mail && "mail", sms && "SMS"].filter(Boolean).join(" and ")}.` }; // prettier-ignore
  return {
    ...line,
    state: "warning",
    says: "Codes are printed on the server's terminal only: guests cannot sign in by themselves. Set FOLLOWSPOT_SMTP_URL or FOLLOWSPOT_SMS_WEBHOOK on the server (operations guide), or make links with npm run admin -- sign-in-link.",
  };
}

/** An installation without events is tried out on one computer, so that its links are no problem yet. */
function guestLinks({ areLinksLocal, comingEvents, eventsByInvitation: events }: PreflightFacts): Line {
  const line = { id: "guest_links", title: "Links for guests" };
  if (!areLinksLocal) return { ...line, state: "ok", says: "Other devices can open links and QR codes." };
  const says = "Only this computer can open links and QR codes. Start Followspot with HOST=0.0.0.0, or set FOLLOWSPOT_PUBLIC_URL."; // prettier-ignore
  const [first] = events;
  if (!first) return { ...line, state: comingEvents > 0 ? "warning" : "ok", says };
  return {
    ...line,
    state: "fault",
    says: `${says} ${count(events.length, "event needs", "events need")} an invitation link: ${named(events)}.`,
    ...to(`/events/${first.id}/registrations`, "Registrations"),
  };
}

/** Talks are not part of every event, and sometimes forgotten. */
function talks({ eventsWithoutTalks: events }: PreflightFacts): Line {
  const line = { id: "talks", title: "Talks" };
  const [first] = events;
  if (!first)
    return { ...line, state: "ok", says: `Events of the next ${SOON_DAYS} days have talks, or there are none.` };
  return {
    ...line,
    state: "warning",
    says: `${named(events)} ${events.length === 1 ? "begins" : "begin"} within ${SOON_DAYS} days without talks. Add them, or leave it at music.`,
    ...to(`/events/${first.id}/talks`, "Talks"),
  };
}

export const to = (path: string, action: string) => ({ path, action });
export const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

/** Formats titles as: "A", "B" and 3 others */
export function named(list: readonly { readonly title: string }[]): string {
  const names = list.slice(0, MOST_NAMES).map(({ title }) => `"${title || "Untitled"}"`);
  const more = list.length - names.length;
  return more > 0 ? `${names.join(", ")} and ${count(more, "other", "others")}` : names.join(", ");
}
