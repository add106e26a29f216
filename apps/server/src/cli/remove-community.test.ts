import { access, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { sourceOfBytes } from "../platform/blobs/blob-store.ts";
import { connectBroker, leaveBroker, ensureStreams } from "../platform/broker/nats.ts";
import { writeSharedParts, type SharedParts } from "../platform/broker/shared-parts.ts";
import { folderUntil, openUntil } from "../testing/open-until.ts";
import { runAdmin } from "../testing/admin.ts";
import { openSharedHouse, type SharingCommunity } from "../testing/community-pair.ts";
import { openS3, S3_KEYS, s3Setting, startS3 } from "../testing/s3-store.ts";

/** One account of the broker for each test. */
const SLUGS = ["harbour", "quay", "pier", "mole", "jetty", "wharf", "dock"];
/** An account without streams of ours, whose disappearance the broker's supervision would take for deleted files. */
const OUTSIDE = "outside";

Object.assign(process.env, S3_KEYS);
const folder = await folderUntil(afterAll);
const house = openUntil(afterAll, await openSharedHouse(folder, [...SLUGS, OUTSIDE]));
const s3 = openUntil(afterAll, await startS3());
const first: SharingCommunity = await house.letIn("first");
await writeFile(join(first.dataDir, "running.json"), JSON.stringify({ database: house.ownerUrl, secret: "", api: "" }));
await mkdir(join(first.dataDir, "communities"));
const { port, password } = new URL(house.brokerOf("first"));
const OWN_BROKER: SharedParts = { broker: { port: Number(port), password, others: [] } };
await writeSharedParts(first.dataDir, OWN_BROKER);

const isThere = (path: string) => access(path).then(() => true, () => false); // prettier-ignore
const run = (...words: string[]) =>
  runAdmin({ ...first, url: house.ownerUrl }, "remove-community", ...words).then(({ code, said }) => ({ code, said }));
const slugs = async () =>
  (await house.owner<{ slug: string }[]>`select slug from communities order by slug`).map(({ slug }) => slug);

/** Messages in the broker by stream, as an account sees them. */
async function messagesOf(slug: string): Promise<Record<string, number>> {
  const broker = await connectBroker(house.brokerOf(slug), "test");
  const messages: Record<string, number> = {};
  for await (const { config, state } of broker.jsm.streams.list()) messages[config.name] = state.messages;
  await leaveBroker(broker);
  return messages;
}

async function objectsOf(prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of openS3(s3.port, prefix).list("")) keys.push(key);
  return keys;
}

let slug: string;
let dataDir: string;
let file: string;
/** Adds a community with streams, an object and a data folder. */
beforeEach(async () => {
  slug = SLUGS.shift()!;
  ({ dataDir } = await house.letIn(slug));
  file = join(first.dataDir, "communities", `${slug}.env`);
  const broker = await connectBroker(house.brokerOf(slug), "test");
  await ensureStreams(broker);
  await broker.js.publish("events.test", "Zebulon");
  await leaveBroker(broker);
  for (const prefix of [`office-${slug}`, `office-${slug}2`, "office"])
    await openS3(s3.port, prefix).write("songs/1/audio.mp3", sourceOfBytes("sound"));
  await writeFile(join(dataDir, "running.json"), "{}");
  await writeSettings();
});

async function writeSettings(changed: Record<string, string> = {}): Promise<void> {
  const settings = {
    FOLLOWSPOT_DATA_DIR: dataDir,
    NATS_URL: house.brokerOf(slug),
    FOLLOWSPOT_BLOBS: s3Setting(s3.port, `office-${slug}`),
    FOLLOWSPOT_BACKUP_DIR: "/backups/of-it",
    ...S3_KEYS,
    ...changed,
  };
  await writeFile(file, Object.entries(settings).map(([name, value]) => `${name}="${value}"\n`).join("")); // prettier-ignore
}

// kept: Changes | Removing a community left its names in the broker's streams, its objects and its data folder | failed on the old code
test("--everything removes streams, objects and data folder of one community, and lists what stays", async () => {
  expect(await messagesOf(slug)).toMatchObject({ EVENTS: 1 });
  const { code, said } = await run(slug, "--everything", "--yes");
  expect([code, said]).toEqual([0, expect.stringContaining(`The community ${slug} is removed:\n`)]);
  expect(said).toMatch(/ {2}rows of 0 people and 0 songs, and the role followspot_harbour_\w+\n/);
  expect(said).toContain("  1 message in 5 streams of the broker\n");
  expect(said).toContain(`  1 object in s3://songs-of-tests/office-${slug}/ (`);
  expect(said).toContain(`  the data folder ${dataDir}\n`);
  const left = said.slice(said.indexOf("Not removed:"));
  for (const command of ["rm -r '/backups/of-it'", "pgbackrest", "list-object-versions"])
    expect(left).toContain(command);

  expect(await slugs()).not.toContain(slug);
  expect(await messagesOf(slug)).toMatchObject({ EVENTS: 0 });
  expect(await objectsOf(`office-${slug}`)).toEqual([]);
  expect([await isThere(dataDir), await isThere(file)]).toEqual([false, false]);
  // Others keep theirs.
  for (const prefix of [`office-${slug}2`, "office"]) expect(await objectsOf(prefix)).toEqual(["songs/1/audio.mp3"]);
  expect(await isThere(join(first.dataDir, "running.json"))).toBe(true);
});

test.each([
  ["its name is not typed", ["--everything"], "Nothing was removed."],
  ["its settings are missing", ["--everything", "--yes"], "Copy the file there, or leave out --everything."],
])("nothing is removed if %s", async (title, words, problem) => {
  if (title.includes("settings")) await rm(file);
  const { code, said } = await run(slug, ...words);
  expect([code, said]).toEqual([2, expect.stringContaining(problem)]);
  expect(await slugs()).toContain(slug);
  expect(await messagesOf(slug)).toMatchObject({ EVENTS: 1 });
  expect(await objectsOf(`office-${slug}`)).toHaveLength(1);
  expect(await isThere(dataDir)).toBe(true);
});

test("in an outside broker the streams are deleted, and its account is listed", async () => {
  const broker = await connectBroker(house.brokerOf(OUTSIDE), "test");
  await broker.jsm.streams.add({ name: "NEWS", subjects: ["news"] });
  await leaveBroker(broker);
  await writeSettings({ NATS_URL: house.brokerOf(OUTSIDE) });
  await writeSharedParts(first.dataDir, {});
  const { said } = await run(slug, "--everything", "--yes");
  await writeSharedParts(first.dataDir, OWN_BROKER);
  expect(said).toContain("  1 stream of the broker with 0 messages\n");
  expect(said).toContain(
    `remove the line that begins with "${slug}":, then reload.\n    nats-server --signal reload\n`,
  );
  expect(said).toContain("pgbackrest");
  expect(await messagesOf(OUTSIDE)).toEqual({});
});

describe("a place that cannot be cleared is listed with its command, and the others are cleared", () => {
  test("broker and store that do not answer; the settings stay", async () => {
    await writeSettings({
      NATS_URL: `nats://${slug}:secret@127.0.0.1:1`,
      FOLLOWSPOT_BLOBS: s3Setting(1, `office-${slug}`),
    });
    const { code, said } = await run(slug, "--everything", "--yes");
    expect(code).toBe(0);
    expect(said).toContain(`nats --server 127.0.0.1:1 --user ${slug} stream rm --force`);
    expect(said).not.toContain("secret");
    expect(said).toContain(
      `aws s3 rm --recursive s3://songs-of-tests/office-${slug}/ --endpoint-url http://127.0.0.1:1\n`,
    );
    expect(said).toContain(`rm '${file}'`);
    expect([await isThere(file), await isThere(dataDir)]).toEqual([true, false]);
    expect(await slugs()).not.toContain(slug);
  });

  test("a folder and a prefix that hold the files of others", async () => {
    await writeFile(join(first.dataDir, "running.json"), JSON.stringify({ database: house.ownerUrl, secret: "", api: "", blobs: s3Setting(s3.port, "office") })); // prettier-ignore
    await writeSettings({ FOLLOWSPOT_DATA_DIR: folder, FOLLOWSPOT_BLOBS: s3Setting(s3.port, "office") });
    const { code, said } = await run(slug, "--everything", "--yes");
    expect(code).toBe(0);
    expect(said).toContain(`${folder} holds files of others as well. Check it first.\n    rm -r '${folder}'\n`);
    expect(said).toContain("s3://songs-of-tests/office/ may hold objects of others as well. Check it first.\n");
    expect(await objectsOf("office")).toHaveLength(1);
    expect(await isThere(folder)).toBe(true);
    expect(await messagesOf(slug)).toMatchObject({ EVENTS: 0 });
  });

  test("a folder that is not a data folder of Followspot", async () => {
    const other = join(folder, "documents");
    await mkdir(other);
    await writeSettings({ FOLLOWSPOT_DATA_DIR: other });
    const { said } = await run(slug, "--everything", "--yes");
    expect(said).toContain(`${other} is not a data folder of Followspot. Check it first.\n    rm -r '${other}'\n`);
    expect(await isThere(other)).toBe(true);
  });
});
