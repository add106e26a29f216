import type { Rig } from "@followspot/contract";
import { hazesIn } from "@followspot/lighting";
import { readRig } from "../lights/stage-rig.ts";
import { listPlaylists, placesOf } from "../songs/queue/playlists.store.ts";
import { planName } from "../songs/catalog/song-files.ts";
import { SongSounds } from "../songs/catalog/song-sounds.ts";
import { findSongs, type SongRow } from "../songs/catalog/songs.store.ts";
import { invalid } from "../platform/errors.ts";
import { requireEvent } from "./night-report.ts";
import { describeSong, DOUBTS, type PreflightPorts } from "./preflight-facts.ts";
import { isPlayable, type RehearsalFacts, type RehearsedPlaylist, type RehearsedSong } from "./rehearsal.ts";
import type { LightTask } from "./rehearse-light.ts";
import { OWN_ZONE } from "./report-csv.ts";
import { talksOf } from "./report.store.ts";

export interface RehearsalOptions {
  readonly eventId: string;
  /** Empty: all playlists except walk-in music, which plays before the event starts. */
  readonly playlistIds: readonly string[];
  readonly talkMinutes: number;
  /** Empty: the event's time zone, otherwise the server's. */
  readonly zone: string;
}

export type RehearsalPorts = Pick<PreflightPorts, "sql" | "files" | "fixtures">;

/** All facts except the light, and the task that computes it. */
export interface RehearsalStart {
  readonly facts: Omit<RehearsalFacts, "light" | "unlit">;
  readonly task: LightTask;
}

/** @throws not_found for an unknown event; invalid_argument for an unknown playlist */
export async function readRehearsal(ports: RehearsalPorts, options: RehearsalOptions): Promise<RehearsalStart> {
  const { sql, fixtures, files } = ports;
  const { eventId, playlistIds, talkMinutes, zone } = options;
  const event = await requireEvent(sql, eventId);
  const [rig, talks, known] = await Promise.all([readRig(sql, fixtures), talksOf(sql, event.id), listPlaylists(sql)]);
  const chosen =
    playlistIds.length === 0
      ? known.filter(({ walk_in_db }) => walk_in_db === null)
      : [...new Set(playlistIds)].map((id) => found(known, id));
  const places = await placesOf(sql, chosen.map(({ id }) => id), ""); // prettier-ignore
  const songs = await readSongs(ports, [...new Set(places.map(({ song_id }) => song_id))], rig);
  const playlists = chosen.map(({ id, name, gap_seconds }): RehearsedPlaylist => ({
    id,
    name,
    gapSeconds: gap_seconds,
    songs: places.flatMap(({ playlist_id, song_id }) => (playlist_id === id ? (songs.get(song_id)?.song ?? []) : [])),
  }));
  const toLight = new Map(
    playlists.flatMap((playlist) => playlist.songs.filter(isPlayable).map((song) => [song.id, song])),
  );
  const lit: LightTask["songs"][number][] = [];
  for (const { id, title } of toLight.values()) {
    const file = await files.localCopy(id, planName(songs.get(id)!.row.plan_number));
    lit.push({ songId: id, title, file });
  }
  return {
    facts: {
      title: event.title,
      startsAt: event.starts_at.getTime(),
      endsAt: event.ends_at.getTime(),
      zone: zone || event.time_zone || OWN_ZONE,
      talks: talks.map(({ id, title, speaker, start_at }) => ({ id, title, speaker, at: start_at?.getTime() })),
      talkMinutes,
      musicDuringTalks: event.music_during_talks,
      playlists,
      lamps: new Map(rig.lights.filter(({ enabled, mode }) => enabled && !hazesIn(mode)).map(({ id, label }) => [id, label])), // prettier-ignore
    },
    task: { rig, songs: lit },
  };
}

function found<Row extends { readonly id: string }>(rows: readonly Row[], id: string): Row {
  const row = rows.find((each) => each.id === id);
  if (!row) throw invalid(`playlistIds: there is no playlist ${id}. Choose among those there are.`);
  return row;
}

async function readSongs({ sql, files }: RehearsalPorts, ids: readonly string[], rig: Rig) {
  const sounds = new SongSounds(files);
  const songs = new Map<string, { readonly row: SongRow; readonly song: RehearsedSong }>();
  // Sequential: loading a hundred files at once would take a hundred megabytes.
  for (const row of await findSongs(sql, [...ids])) {
    const sound = await files.stat(row.id, "audio.mp3");
    songs.set(row.id, {
      row,
      song: {
        ...(await describeSong(row, files, rig)),
        artist: row.artist,
        seconds: (await sounds.of(row.id))?.seconds ?? row.duration,
        hasSound: sound !== undefined,
        warnings: row.warnings.filter((warning) => !DOUBTS.has(warning)),
      },
    });
  }
  return songs;
}
