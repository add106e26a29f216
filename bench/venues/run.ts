/**
 * What the box of a venue costs its office: bytes in a minute without a change, bytes after one change, and how long the office
 * looks for one, beside reading all rows of the night; by how many people come. And what a night of 40 songs brings.
 *
 *   npm run bench:venue                     300, 3,000 and 10,000 people, and one song of three and a half minutes
 *   npm run bench:venue -- --people 300     these alone
 */
import { chmod, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { VENUE_HELLO_MS } from "../../packages/contract/src/index.ts";
import { createTemplate } from "../../apps/server/src/platform/testing/test-database.ts";
import { startPostgres } from "../../apps/server/src/operations/supervisor/postgres.ts";
import { synthesiseSong } from "../../apps/server/src/testing/synthetic-song.ts";
import { startVenueWorld } from "../../apps/server/src/testing/venue-world.ts";
import { isOfShow, markOfTonight, marksOfTables } from "../../apps/server/src/machines/venues/read-tonight.ts";
import { removeData, startProduct, until } from "../../e2e/testing/product.ts";
import { isReady, upload } from "../../e2e/testing/songs.ts";

const { values: flags } = parseArgs({ options: { people: { type: "string", default: "300,3000,10000" } } });
const SONGS = 40;
const SONG_SECONDS = 210;
const LOOKS = 11;

const say = (line: string) => process.stdout.write(`${line}\n`);
const folder = await mkdtemp(join(tmpdir(), "followspot-bench-"));
// As root PostgreSQL runs as the user nobody, who must be able to get in.
await chmod(folder, 0o755);
const postgres = await startPostgres(folder, () => {});
try {
  process.env["DATABASE_URL"] = postgres.url;
  await createTemplate();
  say(
    "people   first fetch        a minute without a change   one title changed   one more is in   is it another night?",
  );
  for (const people of flags.people.split(",").map(Number)) await measure(people);
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
await weighNight();

async function measure(people: number): Promise<void> {
  const closes: (() => Promise<void>)[] = [];
  const world = await startVenueWorld((close) => closes.push(close));
  try {
    const { office, cable } = world;
    const eventId = await world.makeEvent("Friday");
    const playlist = await world.makePlaylist(...Array.from({ length: SONGS }, (_, i) => `Song ${i}`));
    await fill(office.sql, eventId, people);
    const venue = await world.addVenue("Cellar", eventId, [playlist.id]);
    const { connection } = await world.openConnection(venue.token);
    /** Bytes that one look takes. */
    const look = async () => {
      const before = cable.carried;
      await connection.turn();
      return cable.carried - before;
    };
    const began = performance.now();
    const first = await look();
    const firstMs = performance.now() - began;
    const idle = (await look()) * (60_000 / VENUE_HELLO_MS);
    await office.sql`update events set title = 'Saturday' where id = ${eventId}`;
    const title = await look();
    await office.sql`
      insert into check_ins (id, event_id, user_id, checked_in_at)
      select id, event_id, user_id, now() from registrations order by id limit 1`;
    const checkIn = await look();
    const of = { eventId, playlistIds: [playlist.id] };
    const versions = await time(() => markOfTonight(office.sql, of));
    const rows = await time(() => marksOfTables(office.sql, of, office.secret));
    say(
      [
        String(people).padEnd(9),
        `${kB(first)} ${(firstMs / 1000).toFixed(1)} s`.padEnd(19),
        kB(idle).padEnd(28),
        kB(title).padEnd(20),
        kB(checkIn).padEnd(17),
        `${versions.toFixed(1)} ms; all rows ${rows.toFixed(1)} ms (${(rows / versions).toFixed(1)})`,
      ].join(""),
    );
  } finally {
    for (const close of closes.toReversed()) await close();
  }
}

async function fill(
  sql: Awaited<ReturnType<typeof startVenueWorld>>["office"]["sql"],
  eventId: string,
  people: number,
) {
  await sql`
    insert into users (id, name, email)
    select '01JD' || lpad(n::text, 22, '0'), 'Person ' || n, 'p' || n || '@example.org' from generate_series(1, ${people}) n`;
  await sql`
    insert into registrations (id, event_id, user_id, state)
    select id, ${eventId}, id, 'registered' from users where email like 'p%@example.org'`;
  await sql`analyze`;
}

/** Median, ms. */
async function time(work: () => Promise<unknown>): Promise<number> {
  const times = [];
  for (let look = 0; look < LOOKS; look++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return times.toSorted((a, b) => a - b)[LOOKS >> 1]!;
}

/** Files of a song that a box fetches, times forty. */
async function weighNight(): Promise<void> {
  const product = await startProduct();
  try {
    const { body } = await upload(product, "song.wav", synthesiseSong(SONG_SECONDS, 120));
    await until(() => isReady(product, body.song.id), 300_000);
    const at = join(product.dataDir, "songs", body.song.id);
    let bytes = 0;
    for (const name of (await readdir(at)).filter((each) => isOfShow(each, 1)))
      bytes += (await stat(join(at, name))).size;
    say(`\na song of ${SONG_SECONDS} s: ${kB(bytes)}; a night of ${SONGS}: ${((bytes * SONGS) / 1e6).toFixed(0)} MB`);
  } finally {
    await product.stop();
    await removeData(product.dataDir);
  }
}

function kB(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
