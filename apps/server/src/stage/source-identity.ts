import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { SacnSource } from "./sacn-packet.ts";

const SOURCE_NAME = "Followspot";

/** The installation's sACN identity: made once, kept beside the data, so receivers see the same source after a restart. */
export function sourceIdentity(dataDir: string): SacnSource {
  const file = join(dataDir, "sacn-cid");
  const kept = readCid(file);
  if (kept) return { cid: kept, name: SOURCE_NAME };
  const cid = randomBytes(16);
  cid[6] = (cid[6]! & 0x0f) | 0x40; // RFC 4122 version 4
  cid[8] = (cid[8]! & 0x3f) | 0x80;
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(file, cid.toString("hex"), { mode: 0o600 });
  return { cid, name: SOURCE_NAME };
}

function readCid(file: string): Uint8Array | undefined {
  try {
    const cid = Buffer.from(readFileSync(file, "utf8").trim(), "hex");
    return cid.length === 16 ? cid : undefined;
  } catch {
    return undefined; // first start
  }
}
