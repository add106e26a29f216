import { mkdir, readFile } from "node:fs/promises";
import { hostname, networkInterfaces, type NetworkInterfaceInfo } from "node:os";
import { join } from "node:path";
import { writeFileAtomic } from "../files/atomic-file.ts";
import { createAuthority, createServerCertificate, isGoodFor, type KeyedCertificate } from "./certificates.ts";
import type { Settings } from "../settings.ts";

/** Remaining lifetime at which the server's certificate is renewed, days. */
const RENEW_DAYS = 30;

/** Names and addresses of this machine, by which devices open the console. */
export function namesOfMachine(
  { HOST, FOLLOWSPOT_PUBLIC_URL }: Pick<Settings, "HOST" | "FOLLOWSPOT_PUBLIC_URL">,
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces(),
  machine = hostname(),
): readonly string[] {
  const addresses = Object.values(interfaces).flatMap((listed = []) => listed.map(({ address }) => address));
  const own = machine.toLowerCase().replace(/\.local$/, "");
  const isUsual = ["0.0.0.0", "::"].includes(HOST);
  const publicName = FOLLOWSPOT_PUBLIC_URL && new URL(FOLLOWSPOT_PUBLIC_URL).hostname.replace(/^\[(.+)\]$/, "$1");
  const names = ["localhost", own, `${own}.local`, ...addresses, ...(isUsual ? [] : [HOST]), publicName ?? ""];
  // Link-local addresses need a zone, which no certificate names.
  return [...new Set(names)].filter((name) => name !== "" && !name.includes("%") && !name.startsWith("fe80:"));
}

/**
 * Reads the certificate authority of a data folder and the server's certificate, and creates what is missing. The
 * server's certificate is replaced before it expires and when the machine has another name or address.
 *
 * @param title name of the authority, as devices list it
 */
export async function readOwnCertificate(
  dataDir: string,
  names: readonly string[],
  title: string,
): Promise<{ readonly authority: string; readonly server: KeyedCertificate }> {
  const folder = join(dataDir, "tls");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const authority =
    (await readPair(folder, "authority")) ?? (await writePair(folder, "authority", createAuthority(title)));
  const known = await readPair(folder, "server");
  const server =
    known && isGoodFor(known, authority, names, RENEW_DAYS)
      ? known
      : await writePair(folder, "server", createServerCertificate(authority, names));
  return { authority: authority.cert, server };
}

/** Reads a certificate with its chain, and its key: one file, so that they always belong together. */
export async function readPair(folder: string, name: string): Promise<KeyedCertificate | undefined> {
  const text = await readFile(join(folder, `${name}.pem`), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error; // a new authority would void the trust of all devices
    return "";
  });
  const [cert, key] = ["CERTIFICATE", "PRIVATE KEY"].map(
    (type) => new RegExp(`(-----BEGIN ${type}-----[^-]+-----END ${type}-----\n)+`).exec(text)?.[0],
  );
  return cert && key ? { cert, key } : undefined;
}

export async function writePair(folder: string, name: string, pair: KeyedCertificate): Promise<KeyedCertificate> {
  await writeFileAtomic(join(folder, `${name}.pem`), pair.cert + pair.key, String(process.pid), 0o600);
  return pair;
}
