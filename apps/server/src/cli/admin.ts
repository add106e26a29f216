import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { ConnectError } from "@connectrpc/connect";
import { createSignInLink } from "../community/auth/sign-in-links.ts";
import { issueToken } from "../community/auth/sessions.ts";
import { callApi } from "../platform/http/call-api.ts";
import { requireApart } from "../platform/database/communities.ts";
import { takeCommunityFile } from "../platform/files/community-file.ts";
import { openDatabase, type Sql } from "../platform/database/database.ts";
import type { Caller, Role } from "../platform/caller.ts";
import type { RunningFile } from "../platform/files/running-file.ts";
import { settingsOrExit } from "../platform/settings.ts";
import { whereItRuns } from "./where-it-runs.ts";
import { loginTarget } from "../community/users/user-rules.ts";
import { findUser, findUserByTarget, insertUser, USER_LIST, type UserRow } from "../community/users/users.store.ts";

const HELP = `npm run -s admin -- VERB …

  token --role Admin|Director|AI   print a bearer token for scripts
  user list                        people, one JSON object a line
  sign-in-link ID|EMAIL            print a link that signs this person in, once, within 30 minutes
  user add NAME [--email E] [--phone P] [--role R]…
  backup FOLDER                    everything that is kept, and the key that signs codes, into a new folder
  backup --into FOLDER [--keep N]  the same into a new folder there, named by the time; the newest N stay (7)
  backup --check FOLDER            prove a backup by restoring it into a database of its own
  restore FOLDER                   into an installation without songs and people
  move-blobs --to PLACE [--from PLACE] [--remove-old]
                                   files of songs into an S3 bucket (s3://…, as FOLLOWSPOT_BLOBS) or back into the data
                                   folder (folder), while Followspot runs; says what to set then
  purge-files [--dry-run] [--stems-days N] [--originals-days N]
                                   remove stems and originals of songs that were not used for N days, at once; as
                                   FOLLOWSPOT_KEEP_STEMS_DAYS and FOLLOWSPOT_KEEP_ORIGINALS_DAYS say unless N is given.
                                   --dry-run lists what would be removed, and removes nothing
  seed-demo                        labelled demo data, into an empty installation
  import-fixtures FOLDER|FILE      lamps from .qxf, .gdtf and Open Fixture Library .json files, one JSON object
  import-patch FILE                lights of a QLC+ workspace (.qxw), one JSON object
  rehearse EVENT [--playlist ID]… [--talk-minutes 20] [--speed N]
                                   what would go wrong in an event's evening, and its moments: at once, or N times as
                                   fast as it will be (1 to 60); touches neither lamps nor sound
  communities                      who shares this installation: people, songs and size of each
  add-community SLUG --name NAME   another community, apart from the others; says how it is started
  remove-community SLUG [--everything] [--yes]
                                   all rows of a community that does not run, once its name is typed; --everything also
                                   its streams, objects and data folder, and lists what stays; --yes asks nothing
  migrate                          tables of this version, where communities share a database of your own
  update-downloader                fetch the latest yt-dlp into the data folder, one JSON object

--community FILE before any other verb works for the community with these settings.
Works on the machine that owns the data folder, while Followspot runs there (or with DATABASE_URL
and FOLLOWSPOT_SECRET set); update-downloader also while it does not run. Exit codes: 0 done, 1 wrong use, 2 could not be done.
`;

/** Default number of backups that remain in one folder. */
const KEPT = 7;
const MOST_SPEED = 60;
const ROLES: readonly string[] = ["Admin", "Director", "AI"] satisfies Role[];

class UsageError extends Error {}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const isUsage =
    error instanceof UsageError || String((error as { code?: unknown }).code).startsWith("ERR_PARSE_ARGS");
  // Our own errors are printed without the code that clients receive.
  const message = error instanceof ConnectError ? error.rawMessage : (error as Error).message;
  process.stderr.write(`${message}\n${isUsage ? `\n${HELP}` : ""}`);
  process.exitCode = isUsage ? 1 : 2;
}

/** Each command loads its own code only, which halves the time to issue a token. */
async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      role: { type: "string", multiple: true, default: [] },
      email: { type: "string" },
      phone: { type: "string" },
      check: { type: "boolean", default: false },
      everything: { type: "boolean", default: false },
      yes: { type: "boolean", default: false },
      into: { type: "string" },
      keep: { type: "string" },
      playlist: { type: "string", multiple: true, default: [] },
      "talk-minutes": { type: "string" },
      speed: { type: "string" },
      to: { type: "string" },
      from: { type: "string" },
      "dry-run": { type: "boolean", default: false },
      "stems-days": { type: "string" },
      "originals-days": { type: "string" },
      "remove-old": { type: "boolean", default: false },
      community: { type: "string" },
      name: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [verb, action, name] = positionals;
  if (values.help || !verb) {
    process.stdout.write(HELP);
    return 0;
  }
  if (values.community !== undefined) takeCommunityFile(values.community);
  const stranger = values.role.find((role) => !ROLES.includes(role));
  if (stranger !== undefined) throw new UsageError(`--role ${stranger}: must be Admin, Director or AI`);
  const roles = values.role as Role[]; // checked just above

  if (verb === "token") {
    const [role, ...more] = roles;
    if (!role || more.length > 0) throw new UsageError("token: give one --role");
    return withDatabase(async (sql, secret) => void process.stdout.write(`${await scriptToken(sql, secret, role)}\n`));
  }
  if (verb === "sign-in-link") {
    if (!action) throw new UsageError("sign-in-link: give the ID or EMAIL of a person (see: user list)");
    const country = settingsOrExit().FOLLOWSPOT_COUNTRY;
    return withDatabase(async (sql, _secret, { api, address = api }) => {
      const person =
        (await findUser(sql, action)) ?? (await findUserByTarget(sql, loginTarget(action, country), country));
      if (!person || person.deleted_at) throw new Error(`There is no person ${action}.`);
      process.stdout.write(`${address}/admin?sign_in=${await createSignInLink(sql, person.id)}\n`);
    });
  }
  if (verb === "user" && action === "list") {
    return withDatabase(async (sql) => {
      const { readAll } = await import("../platform/database/lists.ts");
      const rows = await readAll<UserRow>(sql, USER_LIST);
      for (const { id, name: who, email, phone, roles: held, deleted_at } of rows) {
        process.stdout.write(`${JSON.stringify({ id, name: who, email, phone, roles: held, deleted_at })}\n`);
      }
    });
  }
  if (verb === "user" && action === "add") {
    if (!name?.trim()) throw new UsageError("user add: give a NAME");
    const { email = "", phone = "" } = values;
    return withDatabase(async (sql) => {
      const { addUser } = await import("../community/users/add-user.ts");
      const user = await addUser(sql, await scriptCaller(sql), { name: name.trim(), email, phone, roles });
      process.stdout.write(`${JSON.stringify({ id: user.id, name: user.name, roles: user.roles })}\n`);
    });
  }
  const say = (line: string) => process.stderr.write(`${line}\n`);
  if (verb === "backup") {
    const { check, into, keep } = values;
    if (check && into !== undefined) throw new UsageError("backup: --check and --into are two things");
    const folder = into ?? action;
    if (!folder || (into !== undefined && action)) throw new UsageError("backup: name one FOLDER");
    if (keep !== undefined && (into === undefined || !/^[1-9]\d{0,3}$/.test(keep)))
      throw new UsageError("backup: --keep N goes with --into and is 1 to 9999");
    const { backupVerb } = await import("./backup-verbs.ts");
    return backupVerb({ folder: resolve(folder), check, into: into !== undefined, keep: Number(keep ?? KEPT) }, say);
  }
  if (verb === "restore") {
    if (!action) throw new UsageError("restore: name a FOLDER");
    const { restoreVerb } = await import("./backup-verbs.ts");
    return restoreVerb(resolve(action), say);
  }
  if (verb === "move-blobs") {
    const { to, from, "remove-old": removeOld } = values;
    if (!to) throw new UsageError("move-blobs: name a place with --to");
    const { moveBlobsVerb } = await import("./move-blobs.ts");
    return moveBlobsVerb({ to, from, removeOld }, say);
  }
  if (verb === "purge-files") {
    const { "stems-days": stems, "originals-days": original } = values;
    for (const [name, days] of Object.entries({ "--stems-days": stems, "--originals-days": original }))
      if (days !== undefined && !/^[1-9]\d{0,3}$/.test(days)) throw new UsageError(`purge-files: ${name} is 1 to 9999`);
    const given = { ...(stems && { stems: Number(stems) }), ...(original && { original: Number(original) }) };
    const { purgeFilesVerb } = await import("./purge-files.ts");
    return purgeFilesVerb({ given, isDry: values["dry-run"] }, (line) => void process.stdout.write(`${line}\n`));
  }
  if (verb === "import-fixtures") {
    if (!action) throw new UsageError("import-fixtures: name a FOLDER or a FILE");
    return withDatabase(async (sql) => {
      const { importFolder } = await import("./import-fixtures.ts");
      const done = await importFolder(sql, await scriptCaller(sql), resolve(action), say);
      process.stdout.write(`${JSON.stringify(done)}\n`);
    });
  }
  if (verb === "import-patch") {
    if (!action) throw new UsageError("import-patch: name a FILE");
    return withDatabase(async (sql) => {
      const { importWorkspace } = await import("./import-patch.ts");
      const done = await importWorkspace(sql, await scriptCaller(sql), resolve(action));
      process.stdout.write(`${JSON.stringify(done)}\n`);
    });
  }
  if (verb === "seed-demo") {
    return withDatabase(async (sql, secret, { api }) => {
      const { seedDemo } = await import("./seed-demo.ts");
      await seedDemo(callApi(api, await scriptToken(sql, secret, "Admin")), say);
    });
  }
  if (verb === "rehearse") {
    const { playlist: playlistIds, "talk-minutes": talkMinutes = "20", speed = "0" } = values;
    if (!action) throw new UsageError("rehearse: name an EVENT by its ID");
    if (!/^\d{1,2}$/.test(speed) || Number(speed) > MOST_SPEED) throw new UsageError("rehearse: --speed is 0 to 60");
    if (!/^\d{1,3}$/.test(talkMinutes)) throw new UsageError("rehearse: --talk-minutes is 1 to 240");
    const options = { eventId: action, playlistIds, talkMinutes: Number(talkMinutes), speed: Number(speed) };
    return withDatabase(async (sql, secret, { api }) => {
      const print = (line: string) => process.stdout.write(`${line}\n`);
      const { rehearseVerb } = await import("./rehearse.ts");
      await rehearseVerb(callApi(api, await scriptToken(sql, secret, "Director")), options, print);
    });
  }
  if (verb === "communities") {
    const { communitiesVerb } = await import("./communities.ts");
    return communitiesVerb((line) => void process.stdout.write(`${line}\n`));
  }
  if (verb === "add-community") {
    if (!action || values.name === undefined) throw new UsageError("add-community: give a SLUG and a --name");
    const { addCommunityVerb } = await import("./communities.ts");
    return addCommunityVerb(action, values.name, say);
  }
  if (verb === "remove-community") {
    if (!action) throw new UsageError("remove-community: give the SLUG of a community");
    const { askLine, removeCommunityVerb } = await import("./communities.ts");
    return removeCommunityVerb(action, { everything: values.everything, yes: values.yes }, askLine, say);
  }
  if (verb === "migrate") {
    const { migrateVerb } = await import("./communities.ts");
    return migrateVerb(say);
  }
  if (verb === "update-downloader") {
    const { updateDownloader } = await import("./update-downloader.ts");
    const program = await updateDownloader(settingsOrExit(), say);
    process.stdout.write(`${JSON.stringify(program)}\n`);
    return 0;
  }
  throw new UsageError(`There is no verb ${positionals.slice(0, 2).join(" ")}.`);
}

/** Issues a token. It belongs to a user, so scripts have one user per role. */
async function scriptToken(sql: Sql, secret: Uint8Array, role: Role): Promise<string> {
  return issueToken(sql, secret, await scriptUser(sql, role), "admin token");
}

/** Returns the caller for the audit log: a command is run by no user. */
async function scriptCaller(sql: Sql): Promise<Caller> {
  return { userId: await scriptUser(sql, "Admin"), name: "", roles: ["Admin"], sessionId: "" };
}

async function scriptUser(sql: Sql, role: Role): Promise<string> {
  const name = `Scripts (${role})`;
  const [known] = await sql<{ id: string }[]>`
    select id from users where is_script and name = ${name} and ${role} = any(roles) and deleted_at is null limit 1`;
  return known?.id ?? (await insertUser(sql, { name, roles: [role], is_script: true })).id;
}

async function withDatabase(
  use: (sql: Sql, secret: Uint8Array, running: RunningFile) => Promise<void>,
): Promise<number> {
  const running = await whereItRuns();
  const sql = openDatabase(running.database, 1, settingsOrExit().FOLLOWSPOT_DATA_DIR);
  try {
    await requireApart(sql);
    await use(sql, new TextEncoder().encode(running.secret), running);
    return 0;
  } finally {
    await sql.end({ timeout: 2 });
  }
}
