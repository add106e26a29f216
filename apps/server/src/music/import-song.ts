import { ulid } from "ulid";
import type { Sql, Tx } from "../platform/database.ts";
import { alreadyExists, invalid } from "../platform/errors.ts";
import { startStep } from "./song-jobs.ts";
import { announceSong, findSong, findSongByFile, findSongByVideo, type SongRow } from "./songs.store.ts";
import { isVideoId, parseVideoLink, videoUrl, type VideoLink } from "./video-link.ts";

/** The song that came in, or the one that was there already. */
export interface AddedSong {
  readonly song: SongRow;
  readonly isNew: boolean;
}

/** Adds a song from a link and starts its download; the same video twice is the existing song. */
export async function importLink(sql: Sql, text: string): Promise<AddedSong> {
  if (!text.trim()) throw invalid("Please enter a YouTube URL");
  const link = parseVideoLink(text);
  if (!link) throw invalid("Invalid YouTube URL");
  return importVideo(sql, link, { title: link.url, artist: "", duration: 0 });
}

export interface SongDetails {
  readonly title: string;
  readonly artist: string;
  readonly duration: number;
}

/** Creates a song from details somebody knows already; refuses a video that is there. */
export async function importDetails(sql: Sql, details: SongDetails, ytid: string, url: string): Promise<SongRow> {
  const link = url ? parseVideoLink(url) : isVideoId(ytid) ? { ytid, url: videoUrl(ytid) } : undefined;
  if (!link)
    throw invalid(
      url ? "Invalid YouTube URL" : "Give a YouTube URL or the eleven-character video id, or upload a file",
    );
  if (ytid && ytid !== link.ytid) throw invalid("ytid and url name different videos");
  const { song, isNew } = await importVideo(sql, link, { ...details, title: details.title.trim() || link.url });
  if (!isNew) throw alreadyExists(`This video is here already as "${song.title}"`);
  return song;
}

async function importVideo(sql: Sql, link: VideoLink, details: SongDetails): Promise<AddedSong> {
  return sql.begin(async (tx) => {
    const id = ulid();
    // The unique index decides between twenty clicks, not a look beforehand.
    const made = await tx`
      insert into songs (id, title, artist, ytid, url, duration)
      values (${id}, ${details.title}, ${details.artist}, ${link.ytid}, ${link.url}, ${details.duration})
      on conflict (ytid) where ytid <> '' do nothing`;
    const isNew = made.count === 1;
    if (isNew) await beginImport(tx, id);
    return added(isNew ? await findSong(tx, id) : await findSongByVideo(tx, link.ytid), isNew);
  });
}

async function beginImport(tx: Tx, id: string): Promise<void> {
  await startStep(tx, id, "download");
  await announceSong(tx, id, "song.created");
}

function added(song: SongRow | undefined, isNew: boolean): AddedSong {
  if (!song) throw new Error("the song vanished while it was added");
  return { song, isNew };
}

/** An uploaded original that lies in the folder of the song it may become. */
export interface UploadedFile {
  /** What the uploader calls it. */
  readonly name: string;
  /** What it is called in the song's folder. */
  readonly source: string;
  /** SHA-256 of its bytes, hex. */
  readonly hash: string;
}

/** Registers an uploaded original and starts its import; the same bytes twice are the existing song. */
export async function importFile(sql: Sql, id: string, file: UploadedFile): Promise<AddedSong> {
  const { title, artist } = detailsFromName(file.name);
  return sql.begin(async (tx) => {
    const made = await tx`
      insert into songs (id, title, artist, source_file, source_hash)
      values (${id}, ${title}, ${artist}, ${file.source}, ${file.hash})
      on conflict (source_hash) where source_hash <> '' do nothing`;
    const isNew = made.count === 1;
    if (isNew) await beginImport(tx, id);
    return added(isNew ? await findSong(tx, id) : await findSongByFile(tx, file.hash), isNew);
  });
}

/** "Artist - Title.mp3" → both; anything else is a title. */
export function detailsFromName(fileName: string): { title: string; artist: string } {
  const base = (fileName.split(/[\\/]/).pop() ?? "").replace(/\.[A-Za-z0-9]{1,5}$/, "");
  // Control characters would forge log lines and break layouts.
  const clean = base
    .replaceAll(/\p{Cc}/gu, "")
    .replaceAll("_", " ")
    .trim()
    .slice(0, 300);
  const [artist, ...rest] = clean.split(" - ");
  if (rest.length > 0 && artist?.trim()) return { artist: artist.trim(), title: rest.join(" - ").trim() || clean };
  return { artist: "", title: clean || "Untitled" };
}
