import { afterAll, expect, test, vi } from "vitest";
import { openFaultyConnection } from "../../testing/faulty-connection.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { openS3, S3_KEYS, startS3 } from "../../testing/s3-store.ts";
import { FolderBlobs } from "./folder-blobs.ts";
import { StoreWatch } from "./store-watch.ts";

for (const [name, value] of Object.entries(S3_KEYS)) vi.stubEnv(name, value);
const s3 = openUntil(afterAll, await startS3());
const connection = openUntil(afterAll, await openFaultyConnection(s3.port));

test("an unresponsive bucket is a reason while it lasts, and is logged once with its name", async () => {
  const told: string[] = [];
  const watch = new StoreWatch(openS3(connection.port, "office", 200), (message) => told.push(message));
  await watch.look();
  expect(watch.reasons).toEqual([]);
  connection.faults = [{ on: /./, times: 99, kind: "silence" }];
  for (let i = 0; i < 2; i++) await watch.look();
  const reason = "The S3 store does not answer (no response). Files of songs can be had again once it does.";
  expect(watch.reasons).toEqual([reason]);
  expect(told).toEqual([`s3://songs-of-tests/office: ${reason}`]);
  connection.faults = [];
  await watch.look();
  expect(watch.reasons).toEqual([]);
});

test("the data folder is never a reason: its disk has a separate watch", async () => {
  const watch = new StoreWatch(new FolderBlobs(await folderUntil(afterAll)), () => undefined);
  await watch.look();
  expect(watch.reasons).toEqual([]);
});
