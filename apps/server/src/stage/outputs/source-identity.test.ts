import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { sourceIdentity } from "./source-identity.ts";
import { folderUntil } from "../../testing/open-until.ts";

let dir: string;
beforeEach(async () => void (dir = await folderUntil(onTestFinished)));

const hex = (cid: Uint8Array) => Buffer.from(cid).toString("hex");

it("stays the same across restarts, and differs from that of the command line", () => {
  const [stage, again, line] = [sourceIdentity(dir), sourceIdentity(dir), sourceIdentity(dir, "command line")];
  expect(hex(again.cid)).toBe(hex(stage.cid));
  expect(hex(line.cid)).not.toBe(hex(stage.cid));
  expect(hex(stage.cid)).toMatch(/^.{12}4.{3}[89ab].{15}$/); // a UUID of version 4
});

it("is created even if it cannot be stored", async () => {
  await writeFile(join(dir, "file"), "");
  expect(sourceIdentity(join(dir, "file")).cid.some((octet) => octet !== 0)).toBe(true);
});
