import {
  needsItsFile,
  outputHealthSchema,
  outputName,
  type LightingPlan,
  type Output,
  type OutputsHealth,
  type Rig,
  type SongStep,
} from "@followspot/contract";
import { unplannedRoles } from "@followspot/lighting";
import type { DeliveryChannels } from "../community/auth/delivery/delivery-channels.ts";
import type { LastBackup } from "../operations/backup/last-backup.ts";
import type { FixtureLibrary } from "../lights/fixture-library.ts";
import { listLights, type LightRow } from "../lights/lights.store.ts";
import { listOutputRows, type OutputRow } from "../lights/outputs.store.ts";
import { readRig } from "../lights/stage-rig.ts";
import { listPlaylists, placesOf } from "../songs/queue/playlists.store.ts";
import { planName, type SongFiles } from "../songs/catalog/song-files.ts";
import { findSongs, type SongRow } from "../songs/catalog/songs.store.ts";
import { problemOf, type WorkerDownloader } from "../songs/library/video.routes.ts";
import type { Sql } from "../platform/database/database.ts";
import { readPaPlayer } from "./players/pa-player.store.ts";
import { readSeenPlayers } from "./players/seen-players.ts";
import type { HomeCountry } from "../community/users/phone-numbers.ts";
import { readSharedPhones } from "../community/users/shared-phones.ts";
import { listLampsSeen, type LampSeenRow } from "./lamps-seen.store.ts";
import {
  SOON_DAYS,
  type PreflightFacts,
  type PlaylistSong,
  type PreflightOutput,
  type PreflightSong,
} from "./preflight.ts";

/** Warnings of an analysis that mark the audio as doubtful. */
export const DOUBTS: ReadonlySet<string> = new Set(["silent", "broken_samples", "clipped"]);

export interface PreflightPorts {
  readonly sql: Sql;
  readonly files: SongFiles;
  readonly fixtures: FixtureLibrary;
  readonly channels: () => DeliveryChannels;
  /** Country of phone numbers without a country code. */
  readonly country: HomeCountry;
  /** @throws unavailable if the stage does not respond */
  readonly askStage: (path: string) => Promise<unknown>;
  readonly freeBytes: () => Promise<number>;
  readonly lastBackup: () => Promise<LastBackup>;
  readonly workers: () => readonly WorkerDownloader[] | Promise<readonly WorkerDownloader[]>;
  /** Problems of the server, as sentences. */
  readonly reasons: () => Promise<readonly string[]>;
  /** Whether links of a page at this host open on this machine only. */
  readonly areLinksLocal: (host: string) => boolean;
}

/** The client of a check. */
export interface PreflightClient {
  /** Host of its page; empty if unknown. */
  readonly host: string;
  /** Its clock, ms since 1970; undefined if it was not sent. */
  readonly clockMs: number | undefined;
}

/** Enabled fixtures, and the results of the walk-through. */
export interface LampWalk {
  readonly lights: readonly LightRow[];
  readonly seen: ReadonlyMap<number, LampSeenRow>;
}

export async function readLampWalk(sql: Sql): Promise<LampWalk> {
  const [lights, seen] = await Promise.all([listLights(sql), listLampsSeen(sql)]);
  return { lights: lights.filter(({ enabled }) => enabled), seen: new Map(seen.map((row) => [row.light_id, row])) };
}

/**
 * Collects all facts for a preflight check.
 *
 * @param playlistIds playlists whose songs are checked; empty for all
 */
export async function readFacts(
  ports: PreflightPorts,
  playlistIds: readonly string[],
  { host, clockMs }: PreflightClient,
): Promise<PreflightFacts> {
  const { sql, fixtures } = ports;
  const { mail, sms } = ports.channels();
  const now = Date.now();
  const [rig, walk, playlists, row, free, last, reasons, rows, events, sharedPhones] = await Promise.all([
    readRig(sql, fixtures),
    readLampWalk(sql),
    listPlaylists(sql),
    readPaPlayer(sql),
    ports.freeBytes().catch(() => 0),
    ports.lastBackup(),
    ports.reasons(),
    listOutputRows(sql),
    listComingEvents(sql),
    readSharedPhones(sql, ports.country),
  ]);
  const chosen = playlists.map(({ id }) => id).filter((id) => playlistIds.length === 0 || playlistIds.includes(id));
  const [workers, health] = await Promise.all([ports.workers(), readOutputHealth(ports)]);
  const { heard } = await readSeenPlayers(sql, row);
  const known = new Set(rig.lights.map(({ id }) => id));
  const nameOf = ({ id, label }: Pick<LightRow, "id" | "label">) => label || `Light ${id}`;
  return {
    songs: await readSongs(ports, chosen, rig),
    playlists: playlists.length,
    lamps: walk.lights.length,
    unsentUniverses: unsentOf(walk.lights, rows),
    unknownLamps: walk.lights.filter(({ id }) => !known.has(id)).map(nameOf),
    outputs: health && conditionsOf(health, rows),
    withheldBecause: health?.withheld_because ?? "",
    lampsSeen: {
      dark: walk.lights.filter(({ id }) => walk.seen.get(id)?.is_seen === false).map(nameOf),
      unseen: walk.lights.filter(({ id }) => !walk.seen.has(id)).length,
    },
    player: heard,
    isMuted: row.is_muted || row.volume === 0,
    freeBytes: free,
    clockSkew: clockMs === undefined ? undefined : (clockMs - now) / 1000,
    backupHours: last.taken && Math.max(0, Math.floor((now - Date.parse(last.taken.takenAt)) / 3_600_000)),
    isBackupFailed: last.failed !== null,
    workers: workers.length,
    downloaderProblem: problemOf(workers),
    codes: { mail: mail !== undefined, sms: sms !== undefined },
    sharedPhones,
    reasons,
    eventsWithoutTalks: events.filter(({ has_talks }) => !has_talks),
    areLinksLocal: ports.areLinksLocal(host),
    comingEvents: events.length,
    eventsByInvitation: events.filter(({ registration }) => registration === "invitation"),
  };
}

interface ComingEvent {
  readonly id: string;
  readonly title: string;
  readonly registration: string;
  readonly has_talks: boolean;
}

const listComingEvents = (sql: Sql): Promise<ComingEvent[]> => sql`
  select id, title, registration,
    exists (select from talks where event_id = events.id and deleted_at is null) as has_talks
  from events
  where deleted_at is null and starts_at between now() and now() + make_interval(days => ${SOON_DAYS})
  order by starts_at, id`;

async function readSongs({ sql, files }: PreflightPorts, playlistIds: string[], rig: Rig): Promise<PlaylistSong[]> {
  const places = await placesOf(sql, playlistIds, "");
  const songs = await findSongs(sql, [...new Set(places.map(({ song_id }) => song_id))]);
  const placed = Map.groupBy(places, ({ song_id }) => song_id);
  const found: PlaylistSong[] = [];
  // Sequential: loading a hundred plans at once would take a hundred megabytes.
  for (const song of songs) {
    const playlistIds = placed.get(song.id)!.map(({ playlist_id }) => playlist_id); // songs of these places
    found.push({ ...(await describeSong(song, files, rig)), playlistIds });
  }
  return found;
}

export async function describeSong(song: SongRow, files: SongFiles, rig: Rig): Promise<PreflightSong> {
  const { id, title, url, analysis_status, lighting_status, error_message, warnings, plan_number } = song;
  const isFailed = analysis_status === "error" || lighting_status === "error";
  const isReady = lighting_status === "ready";
  const plan = isReady ? await files.readJson(id, planName(plan_number)) : undefined;
  return {
    id,
    title,
    state: isFailed ? "failed" : isReady ? "ready" : "at work",
    problem: error_message,
    failedStep: needsItsFile({ url, errorMessage: error_message }) ? undefined : failedStepOf(song),
    isDoubtful: isReady && warnings.some((warning) => DOUBTS.has(warning)),
    isOfOtherRig: plan !== undefined && unplannedRoles(plan as LightingPlan, rig).length > 0, // our own file
  };
}

function failedStepOf({ analysis_status, lighting_status, downloaded_at }: SongRow): SongStep {
  if (lighting_status === "error" && analysis_status !== "error") return "lighting";
  return downloaded_at ? "analysis" : "download";
}

function unsentOf(lights: readonly LightRow[], outputs: readonly OutputRow[]): PreflightFacts["unsentUniverses"] {
  const sent = new Set(outputs.filter(({ enabled }) => enabled).map(({ universe }) => universe));
  const byUniverse = Map.groupBy(lights, ({ universe }) => universe);
  return [...byUniverse]
    .filter(([universe]) => !sent.has(universe))
    .map(([universe, lamps]) => ({ universe, lamps: lamps.length }));
}

/** Returns the state of the enabled outputs; undefined if the stage does not respond. */
export async function readOutputs(
  ports: Pick<PreflightPorts, "askStage">,
  rows: readonly OutputRow[],
): Promise<readonly (PreflightOutput & { readonly id: string })[] | undefined> {
  const health = await readOutputHealth(ports);
  return health && conditionsOf(health, rows);
}

async function readOutputHealth({ askStage }: Pick<PreflightPorts, "askStage">): Promise<OutputsHealth | undefined> {
  return outputHealthSchema.safeParse(await askStage("/health").catch(() => undefined)).data;
}

function conditionsOf(health: OutputsHealth, rows: readonly OutputRow[]) {
  const healthOf = new Map(health.outputs.map((each) => [each.id, each]));
  return rows
    .filter(({ enabled }) => enabled)
    .map((row) => {
      const { state, last_error = "" } = healthOf.get(row.id) ?? {};
      return {
        id: row.id,
        name: outputName(row),
        isDown: state === "down",
        error: last_error,
        isNodeSilent: isGone(row, health),
      };
    });
}

/** Whether the node at the address of an Art-Net output responded once and no longer does. */
function isGone(
  { protocol, host }: { readonly protocol: Output["protocol"]; readonly host: string },
  { nodes }: OutputsHealth,
): boolean {
  return protocol === "artnet" && nodes.some((node) => node.host === host && node.is_gone);
}
