import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { SacnSource } from "../packets/sacn-packet.ts";

const SOURCE_NAME = "Followspot";

/**
 * Returns a sACN identity of the installation. It is created once and stored with the data, so that receivers see the
 * same source after a restart. The stage and the command line may send at the same time, so each has its own identity.
 */
export function sourceIdentity(
  dataDir: string,
  who: "stage" | "command line" = "stage",
  warn: (line: string) => void = console.error,
): SacnSource {
  const file = join(dataDir, who === "stage" ? "sacn-cid" : "sacn-cid-command-line");
  const name = who === "stage" ? SOURCE_NAME : `${SOURCE_NAME} (${who})`;
  const kept = readCid(file);
  if (kept) return { cid: kept, name };
  const cid = randomBytes(16);
  cid[6] = (cid[6]! & 0x0f) | 0x40; // RFC 4122 version 4
  cid[8] = (cid[8]! & 0x3f) | 0x80;
  try {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(file, cid.toString("hex"), { mode: 0o600 });
  } catch (error) {
    // It is still a unique source, but the next start creates another one.
    warn(`The sACN identity cannot be kept in ${file}: ${String(error)}`);
  }
  return { cid, name };
}

function readCid(file: string): Uint8Array | undefined {
  try {
    const cid = Buffer.from(readFileSync(file, "utf8").trim(), "hex");
    return cid.length === 16 ? cid : undefined;
  } catch {
    return undefined; // first start
  }
}
