import { randomBytes } from "node:crypto";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { parseEnv } from "node:util";
import { STREAMS } from "@followspot/contract";
import { sizeWords, countWords } from "../operations/backup/room.ts";
import { writeFileAtomic } from "../platform/files/atomic-file.ts";
import {
  deleteCommunity,
  FIRST,
  giveRole,
  insertCommunity,
  listCommunities,
  seesAll,
  tablesOfCommunities,
  type Community,
} from "../platform/database/communities.ts";
import { openDatabase, type Sql, type Tx } from "../platform/database/database.ts";
import { withLogin } from "../platform/database/database-url.ts";
import { migrate } from "../platform/database/migrate.ts";
import { readRunningFile, type RunningFile } from "../platform/files/running-file.ts";
import { readS3Address } from "../platform/files/s3-address.ts";
import { settingsOrExit } from "../platform/settings.ts";
import { accountText, readSharedParts, writeSharedParts, type SharedParts } from "../platform/broker/shared-parts.ts";
import { transactOnce } from "../platform/database/transaction.ts";
import { removeOutside, type CommunitySettings } from "./remove-everything.ts";
import { ownerOfTables } from "./where-it-runs.ts";

type Say = (line: string) => void;

/** Folder for the files of other communities, in the data folder of the first one. */
const FOLDER = "communities";
/** Distance between the ports of two communities; each may use the next port for live reload. */
const PORTS_APART = 10;
const isSlug = (text: string) => /^[a-z][a-z0-9-]{0,30}$/.test(text);
/** Whether a name reads the same in quotes for the shell, systemd and Node. */
const isName = (text: string) => /^[^\p{C}\p{Zl}\p{Zp}"\\$`]{1,60}$/u.test(text.trim());

/**
 * Runs `communities`: lists the communities of the installation with users, songs and bytes of rows. @returns the exit
 * code
 */
export function communitiesVerb(print: Say): Promise<number> {
  return withOwner(async (sql) => {
    for (const community of await listCommunities(sql)) {
      const { people, songs, bytes } = await countOf(sql, community.id);
      const name = community.name === "" ? "" : ` “${community.name}”`;
      print(
        `${community.slug}${name}: ${countWords(people, "person", "people")}, ${countWords(songs, "song")}, ${sizeWords(bytes)} of rows`,
      );
    }
    return 0;
  });
}

async function countOf(sql: Sql, id: number): Promise<{ people: number; songs: number; bytes: number }> {
  const [counted] = await sql<{ people: number; songs: number }[]>`
    select (select count(*)::int from users where community_id = ${id} and not is_script) as people,
      (select count(*)::int from songs where community_id = ${id}) as songs`;
  let bytes = 0;
  for (const table of await tablesOfCommunities(sql)) {
    const [row] = await sql<{ bytes: number }[]>`
      select coalesce(sum(pg_column_size(t.*)), 0)::float8 as bytes from ${sql(table)} t where community_id = ${id}`;
    bytes += row!.bytes; // an aggregate always returns a row
  }
  return { ...counted!, bytes };
}

/**
 * Runs `add-community SLUG --name "…"`: creates a database role, a broker account, and a file with the settings of its
 * processes. @returns the exit code
 */
export function addCommunityVerb(slug: string, name: string, say: Say): Promise<number> {
  if (!isSlug(slug))
    throw new Error(
      `${slug}: a community is named by a to z, 0 to 9 and -, beginning with a letter, at most 31 of them.`,
    );
  if (!isName(name)) throw new Error('--name is one line of at most 60 characters without ", \\, $ and `.');
  return withOwner(async (sql, place) => {
    const dataDir = settingsOrExit().FOLLOWSPOT_DATA_DIR;
    const [role, firstRole] = [roleOf(slug), roleOf(FIRST.slug)];
    const [password, firstPassword] = [secret(), secret()];
    const [file, firstFile] = [fileOf(dataDir, slug), fileOf(dataDir, FIRST.slug)];
    const shared = await readSharedParts(dataDir);
    const broker = brokerFor(slug, place, shared.broker);
    const isOwnDatabase = place.owner !== undefined;
    await mkdir(join(dataDir, FOLDER), { recursive: true, mode: 0o700 });
    const isSecond = await transactOnce(sql, async (tx) => {
      await requireRoleMaker(tx);
      const known = await listCommunities(tx);
      if (known.some((each) => each.slug === slug)) throw new Error(`There is a community ${slug} already.`);
      const first = known[0]!; // the first one always exists
      if (first.role === null) await giveRole(tx, first.id, { role: firstRole, password: firstPassword });
      const community = await insertCommunity(tx, { slug, name: name.trim(), role, password });
      // Files first: a role whose password is lost would block a retry.
      await writeSettings(file, settingsOf(community, { place, dataDir, broker: broker.url, role, password }));
      if (first.role === null && !isOwnDatabase)
        await writeSettings(firstFile, { DATABASE_URL: withLogin(place.database, firstRole, firstPassword) });
      const own = isOwnDatabase && {
        database: {
          ...{ role: firstRole, password: firstPassword, ...shared.database },
          port: Number(new URL(place.database).port),
        },
      };
      await writeSharedParts(dataDir, {
        ...shared,
        ...own,
        ...(broker.own && { broker: broker.own }),
      });
      return { answer: first.role === null };
    });

    say(`The community ${slug} has its own role in the database, and its settings in ${file}.`);
    if (isSecond && !isOwnDatabase)
      say(`The first community no longer owns its rows alone: set its DATABASE_URL to the one in ${firstFile}.`);
    if (broker.text !== undefined)
      say(
        `Add this to the accounts in your broker's configuration, where the first community has one, too:\n${broker.text}`,
      );
    const names = Object.values(STREAMS).map(({ name }) => name);
    if (isSecond && broker.text !== undefined)
      say(
        `Streams that the first community had outside an account hold names and messages, and are not used any more. Remove them there: for stream in ${names.join(" ")}; do nats stream rm --force $stream; done`,
      );
    if (place.blobs !== undefined)
      say(
        Object.keys(s3Keys()).length > 0
          ? "The file has the bucket's keys of this terminal. Replace them with keys for the community's prefix alone."
          : `Add AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to ${file}: keys for the community's prefix in the bucket.`,
      );
    say(
      `1. Stop Followspot and start it again: ${isOwnDatabase ? "it signs in with a role of its own then, and the broker keeps both apart" : "both are apart then"}.`,
    );
    say(`2. Start the community, once its PORT there is free:\n   npm start -- --community ${file}`);
    return 0;
  });
}

/** Options of `remove-community`. */
export interface RemoveOptions {
  /** Whether streams, objects and the data folder are removed as well. */
  readonly everything: boolean;
  /** Whether the community is removed without asking the user to type its name. */
  readonly yes: boolean;
}

/**
 * Runs `remove-community SLUG`: deletes its rows, its role and its broker account after its name was typed. Its files
 * stay unless `everything` is set.
 *
 * @param ask prompts for a line of input
 * @returns the exit code
 */
export function removeCommunityVerb(
  slug: string,
  { everything, yes }: RemoveOptions,
  ask: (question: string) => Promise<string>,
  say: Say,
): Promise<number> {
  return withOwner(async (sql, place) => {
    const dataDir = settingsOrExit().FOLLOWSPOT_DATA_DIR;
    const community = (await listCommunities(sql)).find((each) => each.slug === slug);
    if (!community) throw new Error(`There is no community ${slug}. \`communities\` lists them.`);
    if (community.id === FIRST.id) throw new Error("The first community holds the installation and cannot be removed.");
    await requireStopped(sql, community);
    const { people, songs } = await countOf(sql, community.id);
    const file = fileOf(dataDir, slug);
    const settings = everything ? await readSettings(file) : {};
    const rows = `${countWords(people, "person", "people")} and ${countWords(songs, "song")}`;
    const more = everything ? ", its streams, objects and data folder" : "";
    const question =
      `This removes ${rows}, all else that ${slug} has in the database${more}.\n` +
      `Only a backup brings it back: npm run -s admin -- --community ${file} backup FOLDER\nType ${slug} to go on: `;
    if (!yes && (await ask(question)).trim() !== slug) throw new Error("Nothing was removed.");
    const shared = await readSharedParts(dataDir);
    // Rows last: until then an interrupted removal can be repeated.
    const outside = everything
      ? await removeOutside(settings, {
          ...{ slug, file, dataDir, blobs: place.blobs },
          isOwnBroker: shared.broker !== undefined,
          isOwnDatabase: shared.database !== undefined,
        })
      : undefined;
    await transactOnce(sql, async (tx) => {
      await requireStopped(tx, community);
      await deleteCommunity(tx, community);
      return { answer: undefined };
    });
    if (shared.broker) {
      const others = shared.broker.others.filter((each) => each.slug !== slug);
      await writeSharedParts(dataDir, { ...shared, broker: { ...shared.broker, others } });
    }
    const needsFile = outside?.left.some(({ needsLogin }) => needsLogin) ?? false;
    if (!needsFile) await rm(file, { force: true });
    if (outside === undefined) {
      const folder = folderOf(dataDir, slug);
      say(`The community ${slug} is removed. Its data folder stays (${folder}), and its files in a bucket.`);
    } else {
      say(`The community ${slug} is removed:`);
      for (const what of [`rows of ${rows}, and the role ${community.role}`, ...outside.removed]) say(`  ${what}`);
      say("Not removed:");
      const rest = needsFile
        ? [
            ...outside.left,
            { what: "Its settings, because commands above need the credentials in it.", command: `rm '${file}'` },
          ]
        : outside.left;
      for (const { what, command } of rest) say(`  ${what}\n    ${command}`);
    }
    if (shared.broker) say("Its account at the broker goes with the next start of Followspot.");
    return 0;
  });
}

/** Reads the settings of a community. @throws Error if its file is missing */
async function readSettings(file: string): Promise<CommunitySettings> {
  try {
    return parseEnv(await readFile(file, "utf8"));
  } catch (error) {
    throw new Error(
      `The settings of the community are needed to find its data: ${(error as Error).message}. Copy the file there, or leave out --everything.`,
      { cause: error },
    );
  }
}

/**
 * Runs `migrate`: migrates the tables to this version, for installations whose processes do not own them. @returns the
 * exit code
 */
export function migrateVerb(say: Say): Promise<number> {
  return withOwner(async (sql) => {
    const changes = await migrate(sql);
    say(changes.length === 0 ? "The tables are those of this version." : `Changed: ${changes.join(", ")}.`);
    return 0;
  });
}

/** Reads one line from the terminal or a pipe. */
export async function askLine(question: string): Promise<string> {
  process.stderr.write(question);
  for await (const line of createInterface({ input: process.stdin })) return line;
  return "";
}

/** @throws Error that describes how to name the owner of the tables */
async function withOwner(use: (sql: Sql, place: RunningFile) => Promise<number>): Promise<number> {
  const { DATABASE_URL, FOLLOWSPOT_DATA_DIR } = settingsOrExit();
  const place = await readRunningFile(FOLLOWSPOT_DATA_DIR);
  const url = (await ownerOfTables()) ?? DATABASE_URL ?? place?.database;
  if (url === undefined)
    throw new Error(`Followspot does not run on ${FOLLOWSPOT_DATA_DIR}. Start it with npm start, or set DATABASE_URL.`);
  const sql = openDatabase(url, 1, FOLLOWSPOT_DATA_DIR);
  try {
    const [table] = await sql<{ there: boolean }[]>`select to_regclass('communities') is not null as there`;
    if (table?.there && !(await seesAll(sql)))
      throw new Error(
        "This is the work of the owner of the tables. Set FOLLOWSPOT_DATABASE_OWNER to the owner's postgres://…, or to the data folder of the first community.",
      );
    return await use(sql, place ?? { database: url, secret: "", api: "" });
  } finally {
    await sql.end({ timeout: 2 });
  }
}

async function requireRoleMaker(tx: Tx): Promise<void> {
  const [row] = await tx<{ name: string; may: boolean }[]>`
    select rolname as name, rolsuper or rolcreaterole as may from pg_roles where rolname = current_user`;
  if (row?.may) return;
  throw new Error(
    `The database's user ${row?.name} may not make roles, and each community has one. Its administrator allows it by:\n  alter role "${row?.name}" createrole;`,
  );
}

async function requireStopped(db: Sql | Tx, { slug, role }: Community): Promise<void> {
  const [row] = await db<{ connections: number }[]>`
    select count(*)::int as connections from pg_stat_activity where usename = ${role}`;
  if (row && row.connections > 0) throw new Error(`The community ${slug} is running. Stop it first.`);
}

/** Returns a role name that is unique on a database server shared by several installations. */
const roleOf = (slug: string) => `followspot_${slug.replaceAll("-", "_")}_${randomBytes(4).toString("hex")}`;
const secret = () => randomBytes(24).toString("hex");
const fileOf = (dataDir: string, slug: string) => join(dataDir, FOLDER, `${slug}.env`);
const folderOf = (dataDir: string, slug: string) => `${resolve(dataDir)}-${slug}`;

/** Returns the credentials of an S3 store in this terminal's environment; empty if there are none. */
function s3Keys(): Record<string, string> {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION } = process.env;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) return {};
  return { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, ...(AWS_REGION && { AWS_REGION }) };
}

/**
 * Returns the broker account of a community: stored here for our own broker, or as text for the administrator of an
 * external one.
 */
function brokerFor(slug: string, { broker, isOwnBroker }: RunningFile, shared: SharedParts["broker"]) {
  if (broker === undefined) return { url: undefined };
  const account = { slug, password: secret() };
  const url = broker
    .split(",")
    .map((address) => Object.assign(new URL(address), { username: slug, password: account.password }).href)
    .join();
  if (!isOwnBroker) return { url, text: accountText(account) };
  const { port, password } = new URL(broker);
  return { url, own: { port: Number(port), password, others: [...(shared?.others ?? []), account] } };
}

interface Given {
  readonly place: RunningFile;
  readonly dataDir: string;
  readonly broker: string | undefined;
  readonly role: string;
  readonly password: string;
}

function settingsOf(community: Community, { place, dataDir, broker, role, password }: Given): Record<string, string> {
  const port = Number(new URL(place.api || "http://127.0.0.1:3000").port) + PORTS_APART * (community.id - 1);
  return {
    PORT: String(port),
    FOLLOWSPOT_DATA_DIR: folderOf(dataDir, community.slug),
    FOLLOWSPOT_COMMUNITY_NAME: community.name,
    DATABASE_URL: withLogin(place.database, role, password),
    ...(broker !== undefined && { NATS_URL: broker }),
    ...(place.brokerReplicas !== undefined && { FOLLOWSPOT_NATS_REPLICAS: String(place.brokerReplicas) }),
    ...(place.owner !== undefined && { FOLLOWSPOT_DATABASE_OWNER: resolve(dataDir) }),
    ...(place.blobs !== undefined && {
      FOLLOWSPOT_BLOBS: bucketOf(place.blobs, community.slug),
      ...s3Keys(),
    }),
  };
}

/** Returns a storage prefix beside that of the first community: s3://bucket/office becomes s3://bucket/office-SLUG. */
function bucketOf(text: string, slug: string): string {
  const address = readS3Address(text);
  if (typeof address === "string") throw new Error(`FOLLOWSPOT_BLOBS: ${address}`);
  const [, query = ""] = text.split(/(?=\?)/);
  const prefix = address.prefix.replace(/\/$/, "");
  return `s3://${address.bucket}/${prefix === "" ? slug : `${prefix}-${slug}`}${query}`;
}

async function writeSettings(file: string, settings: Record<string, string>): Promise<void> {
  const lines = Object.entries(settings).map(([name, value]) => `${name}="${value}"\n`);
  await writeFileAtomic(file, lines.join(""), String(process.pid), 0o600);
}
