import { mkdir, writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { SongFiles } from "../songs/catalog/song-files.ts";
import { newId } from "../platform/database/ids.ts";
import { hashOfToken, newMachineToken } from "../machines/machine-token.ts";
import { openCable } from "../platform/testing/cable.ts";
import { BoxConnection } from "../machines/venues/box-connection.ts";
import { OfficeDoor } from "../machines/venues/office-door.ts";
import { folderUntil, openUntil } from "./open-until.ts";
import { insertReadySong } from "./ready-song.ts";
import { startTestServer } from "./test-server.ts";

/** Starts an office and a venue server with its own database; the connection between them can be cut. */
export async function startVenueWorld(end: (close: () => Promise<void>) => unknown) {
  const [dataDir, boxDir] = [await folderUntil(end), await folderUntil(end)];
  /** State of main-stage on the office's machine, and the delay of its response. */
  const stage = { up_ms: 60_000, blackout: false, answer_ms: 0 };
  const stageNow = async () => (await pause(stage.answer_ms), stage);
  const office = openUntil(end, await startTestServer({ dataDir, stageNow }));
  const box = openUntil(end, await startTestServer({ dataDir: boxDir }));
  const cable = openUntil(end, await openCable(office.base));
  const files = new SongFiles(dataDir);
  const boxFiles = new SongFiles(boxDir);
  const admin = await office.person("Ada", ["Admin"], "ada@example.org");
  const hours = (count: number) => new Date(Date.now() + count * 3600_000).toISOString();

  async function openConnection(
    token: string,
    { server = cable.url, onEnd = (_why: string) => {}, clock = Date.now as () => number } = {},
  ) {
    const said: string[] = [];
    const stopping = new AbortController();
    end(async () => stopping.abort());
    const say = (line: string) => void said.push(line);
    const door = new OfficeDoor({ server, token, say, onEnd });
    const connection = new BoxConnection({
      sql: box.sql,
      door,
      files: boxFiles,
      say,
      warn: say,
      signal: stopping.signal,
      helloMs: 0,
      againMs: 500,
      clock,
    });
    return { connection, door, said, stop: () => stopping.abort() };
  }

  return {
    ...{ office, box, cable, files, boxFiles, admin, boxDir, stage },
    /** Creates a current event that requires registration. */
    makeEvent: async (title: string): Promise<string> => {
      const night = { title, starts_at: hours(-1), ends_at: hours(5), registration: "open" };
      const { body } = await office.call("event.v1.EventService/CreateEvent", night, admin.token);
      return body.event.id;
    },
    register: async (eventId: string, name: string) => {
      const person = await office.person(name);
      await office.sql`
        insert into registrations (id, event_id, user_id, state) values (${newId()}, ${eventId}, ${person.id}, 'registered')`;
      return person;
    },
    /** Creates a playlist of songs with audio and a show. */
    makePlaylist: async (...titles: string[]) => {
      const id = newId();
      await office.sql`insert into playlists (id, name, created_by) values (${id}, ${`List ${id}`}, ${admin.id})`;
      const songs = [];
      for (const title of titles) {
        const song = await insertReadySong(office.sql, { title });
        await office.sql`update songs set plan_number = 2 where id = ${song}`;
        await office.sql`insert into playlist_songs (playlist_id, song_id) values (${id}, ${song})`;
        await mkdir(files.folder(song), { recursive: true });
        await writeFile(
          files.path(song, "hybrid.json"),
          JSON.stringify({ duration: 180, dynamics: { loudness: -14 } }),
        );
        for (const name of ["audio.mp3", "lighting.1.json", "lighting.2.json", "drums.mp3"])
          await writeFile(files.path(song, name), `${name} of ${title}`);
        songs.push(song);
      }
      return { id, songs };
    },
    addVenue: async (
      name: string,
      eventId: string | null,
      playlistIds: readonly string[] = [],
      { isStandby = false } = {},
    ) => {
      const [id, token] = [newId(), newMachineToken("fsv")];
      await office.sql`
        insert into venues (id, name, token_hash, added_by, event_id, event_ids, is_standby)
        values (${id}, ${name}, ${hashOfToken(token)}, ${admin.id}, ${eventId}, ${eventId === null ? [] : [eventId]}, ${isStandby})`;
      for (const playlist of playlistIds) await office.sql`insert into venue_playlists values (${id}, ${playlist})`;
      return { id, token };
    },
    openConnection,
    codeOf: async (eventId: string, userId: string, from = office, token = admin.token): Promise<string> => {
      const path = "event.v1.EventService/ListAttendeeCodes";
      const { body } = await from.call(path, { event_id: eventId, list: { page_size: 200 } }, token);
      return body.codes.find((each: { userId: string }) => each.userId === userId).code;
    },
  };
}
