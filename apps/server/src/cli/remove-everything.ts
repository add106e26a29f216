import { access, rm } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { STREAMS } from "@followspot/contract";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { sizeWords, countWords } from "../operations/backup/room.ts";
import { openStore } from "../platform/blobs/open-store.ts";
import { brokerLogin } from "../platform/broker/nats.ts";
import { readS3Address } from "../platform/files/s3-address.ts";
import { ROOT } from "../platform/settings.ts";

/** Time for the broker to accept the connection and answer, ms. */
const BROKER_MS = 5000;

/** Settings of a community that name its data outside the database. */
export type CommunitySettings = Readonly<
  Partial<
    Record<
      | "FOLLOWSPOT_DATA_DIR"
      | "FOLLOWSPOT_BLOBS"
      | "FOLLOWSPOT_BACKUP_DIR"
      | "NATS_URL"
      | "AWS_ACCESS_KEY_ID"
      | "AWS_SECRET_ACCESS_KEY"
      | "AWS_REGION",
      string
    >
  >
>;

/** Data that stays, why, and a command that removes it. */
export interface Leftover {
  readonly what: string;
  readonly command: string;
  /** Whether the command needs the credentials of the community. */
  readonly needsLogin?: boolean;
}

export interface Removal {
  /** Noun phrases. */
  readonly removed: readonly string[];
  readonly left: readonly Leftover[];
}

/** What the removal has to know of the installation. */
export interface Installation {
  readonly slug: string;
  /** Settings file of the community. */
  readonly file: string;
  /** Data folder of the first community. */
  readonly dataDir: string;
  /** FOLLOWSPOT_BLOBS of the first community. */
  readonly blobs: string | undefined;
  readonly isOwnBroker: boolean;
  readonly isOwnDatabase: boolean;
}

/** Removes streams, objects and the data folder of a community. A place that cannot be reached does not stop the others. */
export async function removeOutside(settings: CommunitySettings, place: Installation): Promise<Removal> {
  const { NATS_URL: broker, FOLLOWSPOT_BLOBS: blobs, FOLLOWSPOT_DATA_DIR: folder } = settings;
  const removals = [
    ...(broker === undefined ? [] : [await removeStreams(broker, place)]),
    ...(blobs === undefined ? [] : [await removeObjects(blobs, settings, place)]),
    ...(folder === undefined ? [] : [await removeFolder(resolve(folder), place)]),
  ];
  return {
    removed: removals.flatMap(({ removed }) => removed),
    left: [...removals.flatMap(({ left }) => left), ...outOfReach(settings, place)],
  };
}

async function removeStreams(url: string, { slug, isOwnBroker }: Installation): Promise<Removal> {
  const { servers, user } = brokerLogin(url);
  const account: Leftover[] = isOwnBroker
    ? []
    : [
        {
          what: `Its account in the broker's configuration: remove the line that begins with "${slug}":, then reload.`,
          command: "nats-server --signal reload",
        },
      ];
  try {
    const connection = await connect({ ...brokerLogin(url), reconnect: false, timeout: BROKER_MS });
    try {
      const manager = await jetstreamManager(connection, { timeout: BROKER_MS });
      const found: [name: string, messages: number][] = [];
      for await (const { config, state } of manager.streams.list()) found.push([config.name, state.messages]);
      for (const [name] of found) {
        // The supervisor restarts a broker whose stream folders disappear. Empty ones hold nothing of the community.
        if (isOwnBroker) await manager.streams.purge(name);
        else await manager.streams.delete(name);
      }
      const messages = countWords(
        found.reduce((sum, [, count]) => sum + count, 0),
        "message",
      );
      const streams = countWords(found.length, "stream");
      return {
        removed: [
          isOwnBroker ? `${messages} in ${streams} of the broker` : `${streams} of the broker with ${messages}`,
        ],
        left: account,
      };
    } finally {
      await connection.close();
    }
  } catch (error) {
    const names = Object.values(STREAMS).map(({ name }) => name);
    return {
      removed: [],
      left: [
        {
          what: `Its streams in the broker: ${(error as Error).message}.`,
          command: `for stream in ${names.join(" ")}; do nats --server ${servers[0]} --user ${user} stream rm --force $stream; done`,
          needsLogin: true,
        },
        ...account,
      ],
    };
  }
}

async function removeObjects(text: string, settings: CommunitySettings, place: Installation): Promise<Removal> {
  const address = readS3Address(text);
  if (typeof address === "string")
    return { removed: [], left: [{ what: `FOLLOWSPOT_BLOBS ${address}.`, command: `$EDITOR ${place.file}` }] };
  const { bucket, prefix, endpoint } = address;
  const name = `s3://${bucket}/${prefix}`;
  const option = endpoint === undefined ? "" : ` --endpoint-url ${endpoint}`;
  const command = `aws s3 rm --recursive ${name}${option}`;
  const first = place.blobs === undefined ? undefined : readS3Address(place.blobs);
  const holdsOthers = typeof first === "object" && first.bucket === bucket && first.prefix.startsWith(prefix);
  if (prefix === "" || holdsOthers)
    return { removed: [], left: [{ what: `${name} may hold objects of others as well. Check it first.`, command }] };
  // The AWS SDK reads them from here.
  for (const key of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION"] as const)
    if (settings[key] !== undefined) process.env[key] = settings[key];
  let [objects, bytes] = [0, 0];
  try {
    const store = openStore(place.dataDir, address);
    const keys: string[] = [];
    for await (const found of store.list("")) {
      keys.push(found.key);
      bytes += found.bytes;
    }
    await store.remove(keys);
    objects = keys.length;
  } catch (error) {
    return { removed: [], left: [{ what: `${name}: ${(error as Error).message}`, command, needsLogin: true }] };
  }
  const versions = {
    what: "Older versions of its objects, if the bucket stores them. A lifecycle rule can remove them.",
    command: `aws s3api list-object-versions --bucket ${bucket} --prefix ${prefix}${option}`,
  };
  return { removed: [`${countWords(objects, "object")} in ${name} (${sizeWords(bytes)})`], left: [versions] };
}

async function removeFolder(folder: string, { dataDir }: Installation): Promise<Removal> {
  const isThere = (path: string) => access(path).then(() => true, () => false); // prettier-ignore
  if (!(await isThere(folder))) return { removed: [], left: [] };
  const holds = (other: string) => `${resolve(other)}${sep}`.startsWith(`${folder}${sep}`);
  const left = (what: string) => ({ removed: [], left: [{ what, command: `rm -r '${folder}'` }] });
  if (holds(dataDir) || holds(ROOT)) return left(`${folder} holds files of others as well. Check it first.`);
  if (!(await isThere(join(folder, "running.json"))))
    return left(`${folder} is not a data folder of Followspot. Check it first.`);
  try {
    await rm(folder, { recursive: true });
  } catch (error) {
    return left(`Its data folder ${folder}: ${(error as Error).message}.`);
  }
  return { removed: [`the data folder ${folder}`], left: [] };
}

/** Data that only its owner can find. */
function outOfReach(
  { FOLLOWSPOT_BACKUP_DIR: backups }: CommunitySettings,
  { isOwnDatabase }: Installation,
): Leftover[] {
  return [
    ...(backups === undefined ? [] : [{ what: `Its automatic backups in ${backups}.`, command: `rm -r '${backups}'` }]),
    { what: "Backups that were taken by hand.", command: "rm -r FOLDER" },
    ...(isOwnDatabase
      ? []
      : [
          {
            what: "Its rows in base backups and archived WAL of the database, until those expire.",
            command: "pgbackrest --stanza=NAME expire, or the same of your backup tool",
          },
        ]),
  ];
}
