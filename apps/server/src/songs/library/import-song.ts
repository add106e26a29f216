import { newId } from "../../platform/database/ids.ts";
import type { Caller } from "../../platform/caller.ts";
import { change, done, type Done } from "../../platform/database/change.ts";
import type { Sql, Tx } from "../../platform/database/database.ts";
import { alreadyExists, invalid } from "../../platform/errors.ts";
import { startStep } from "../processing/song-jobs.ts";
import {
  findSong,
  findSongByFile,
  findSongByLink,
  findSongByVideo,
  insertFile,
  insertLinked,
  songEntry,
  type SongRow,
} from "../catalog/songs.store.ts";
import { isVideoId, parseLink, refuseLink, videoUrl, ytidOf, type Link } from "../processing/video-link.ts";

/** The added song, or the existing one. */
export interface AddedSong {
  readonly song: SongRow;
  readonly isNew: boolean;
  /** True if the song existed and had failed; the uploaded file restarted it. */
  readonly isRestarted?: boolean;
}

/** Adds a song from a link and queues its download. A link that is already in use returns the existing song. */
export async function importLink(
  sql: Sql,
  caller: Caller,
  text: string,
  sites: readonly string[] = [],
): Promise<AddedSong> {
  return change(sql, caller, (tx) => importLinkIn(tx, text, sites));
}

/** As {@link importLink}, as part of another change. */
export async function importLinkIn(tx: Tx, text: string, sites: readonly string[]): Promise<Done<AddedSong>> {
  if (!text.trim()) throw invalid("Please enter a YouTube URL");
  const link = parseLink(text, sites);
  if (!link) throw invalid(refuseLink(text));
  return importLinked(tx, link, { ...namesOf(link), duration: 0, named_by_person: false });
}

/** Returns the title and artist that the link contains; the link of a file contains its name. */
function namesOf(link: Link): { title: string; artist: string } {
  return link.kind === "file" ? detailsFromName(link.name) : { title: link.url, artist: "" };
}

export interface SongDetails {
  readonly title: string;
  readonly artist: string;
  readonly duration: number;
}

/**
 * Creates a song from known details.
 * @throws already_exists for the link of an existing song
 */
export async function importDetails(
  sql: Sql,
  caller: Caller,
  details: SongDetails,
  from: { readonly ytid: string; readonly url: string; readonly sites: readonly string[] },
): Promise<SongRow> {
  const { ytid, url, sites } = from;
  const link = url ? parseLink(url, sites) : parseLink(isVideoId(ytid) ? videoUrl(ytid) : "", sites);
  if (!link)
    throw invalid(url ? refuseLink(url) : "Give a YouTube URL or the eleven-character video id, or upload a file");
  if (ytid && ytid !== ytidOf(link)) throw invalid("ytid and url name different videos");
  const title = details.title.trim();
  const named = { ...details, title: title || namesOf(link).title, named_by_person: title !== "" };
  const { song, isNew } = await change(sql, caller, (tx) => importLinked(tx, link, named));
  if (!isNew)
    throw alreadyExists(`This ${link.kind === "video" ? "video" : "link"} is here already as "${song.title}"`);
  return song;
}

async function importLinked(
  tx: Tx,
  link: Link,
  details: SongDetails & { readonly named_by_person: boolean },
): Promise<Done<AddedSong>> {
  const { url } = link;
  const ytid = ytidOf(link);
  const id = newId();
  if (!(await insertLinked(tx, { id, ...details, ytid, url })))
    return done(existing(await (ytid ? findSongByVideo(tx, ytid) : findSongByLink(tx, url))));
  return begun(tx, id, { url });
}

/**
 * Queues the download of a new song.
 * @param from origin of the song for the audit log
 */
async function begun(tx: Tx, id: string, from: object): Promise<Done<AddedSong>> {
  await startStep(tx, id, "download");
  const song = await findSong(tx, id);
  if (!song) throw new Error("the song vanished while it was added");
  return done({ song, isNew: true }, songEntry(song, "created", { after: { title: song.title, ...from } }));
}

function existing(song: SongRow | undefined): AddedSong {
  if (!song) throw alreadyExists("This song was here a moment ago and is being deleted. Add it again.");
  return { song, isNew: false };
}

/** An uploaded original, stored in the folder of the song it may become. */
export interface UploadedFile {
  /** File name at the uploader. */
  readonly name: string;
  /** File name in the song's folder. */
  readonly source: string;
  /** SHA-256 of its bytes, hex. */
  readonly hash: string;
  readonly bytes: number;
}

/** Registers an uploaded original and starts its import. Bytes that are already stored return the existing song. */
export async function importFile(sql: Sql, caller: Caller, id: string, file: UploadedFile): Promise<AddedSong> {
  const { title, artist } = detailsFromName(file.name);
  return change(sql, caller, async (tx) => {
    const row = { id, title, artist, source_file: file.source, source_hash: file.hash };
    if (!(await insertFile(tx, row))) return done(existing(await findSongByFile(tx, file.hash)));
    return begun(tx, id, { bytes: file.bytes });
  });
}

/** Splits "Artist - Title.mp3" into artist and title; any other name is a title. */
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
