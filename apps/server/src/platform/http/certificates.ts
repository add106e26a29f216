import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  X509Certificate,
  type KeyObject,
} from "node:crypto";
import { isIP, isIPv6 } from "node:net";
import { bitString, element, integer, objectId, sequence, time, TRUE } from "./der.ts";
import { bytesOfIPv6 } from "./network-of.ts";

/** A certificate with its private key, in PEM. */
export interface KeyedCertificate {
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3653;
/** Longest lifetime that all browsers accept is 825 days; public authorities have 398. */
const SERVER_DAYS = 397;
/** A phone whose clock is a day behind accepts a new certificate. */
const EARLIER_MS = DAY_MS;

/**
 * Creates a certificate authority for 10 years: a self-signed certificate (RFC 5280) with an ECDSA P-256 key.
 *
 * @param name as devices list it
 */
export function createAuthority(name: string, now = new Date()): KeyedCertificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const cert = certificateOf({
    ...{ issuer: name, subject: name, publicKey, signer: privateKey, now, days: AUTHORITY_DAYS },
    extensions: [
      extension("2.5.29.19", sequence(TRUE, integer(Buffer.from([0]))), true), // an authority, and none below it
      extension("2.5.29.15", bitString(Buffer.from([0b0000_0110]), 1), true), // signs certificates and revocation lists
      extension("2.5.29.14", element(0x04, keyIdOf(publicKey))),
    ],
  });
  return { cert, key: pemOf(privateKey) };
}

/** Creates the certificate of a server, signed by the authority. @param names host names and IP addresses */
export function createServerCertificate(
  authority: KeyedCertificate,
  names: readonly string[],
  now = new Date(),
): KeyedCertificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    cert: signServerCertificate(authority, publicKey, { names, now, days: SERVER_DAYS }),
    key: pemOf(privateKey),
  };
}

/** Signs the public key of a server. @returns the certificate in PEM */
export function signServerCertificate(
  authority: KeyedCertificate,
  publicKey: KeyObject,
  { names, now, days }: { readonly names: readonly string[]; readonly now: Date; readonly days: number },
): string {
  const issuer = new X509Certificate(authority.cert);
  return certificateOf({
    issuer: commonNameOf(issuer),
    subject: "Followspot server",
    publicKey,
    signer: authority.key,
    now,
    days,
    extensions: [
      extension("2.5.29.19", sequence(), true), // no authority
      extension("2.5.29.15", bitString(Buffer.from([0b1000_0000]), 7), true), // signs handshakes
      extension("2.5.29.37", sequence(objectId("1.3.6.1.5.5.7.3.1"))), // of a server
      namesExtension(names),
      extension("2.5.29.14", element(0x04, keyIdOf(publicKey))),
      extension("2.5.29.35", sequence(element(0x80, keyIdOf(issuer.publicKey)))),
    ],
  });
}

/** Creates a key, and the request to certify it for a host name (RFC 2986). @returns the request in DER, the key in PEM */
export function createSigningRequest(name: string): { readonly request: Buffer; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const attribute = sequence(objectId(EXTENSION_REQUEST), element(0x31, sequence(namesExtension([name]))));
  const body = sequence(
    integer(Buffer.from([0])), // version 1
    sequence(), // no subject: names are in the extension
    publicKey.export({ type: "spki", format: "der" }),
    element(0xa0, attribute),
  );
  const algorithm = sequence(objectId(ECDSA_WITH_SHA256));
  const request = sequence(body, algorithm, bitString(sign("sha256", body, privateKey)));
  return { request, key: pemOf(privateKey) };
}

/** Whether a certificate of the authority is good for these names for another `days`. */
export function isGoodFor(
  { cert, key }: KeyedCertificate,
  authority: KeyedCertificate,
  names: readonly string[],
  days: number,
  now = new Date(),
): boolean {
  try {
    const certificate = new X509Certificate(cert);
    const isNamed = (name: string) =>
      (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)) !== undefined;
    return (
      certificate.checkPrivateKey(createPrivateKey(key)) &&
      certificate.verify(new X509Certificate(authority.cert).publicKey) &&
      Date.parse(certificate.validTo) - now.getTime() > days * DAY_MS &&
      Date.parse(certificate.validFrom) <= now.getTime() &&
      names.every(isNamed)
    );
  } catch {
    return false; // not a certificate: a file that was cut or edited
  }
}

interface CertificateParts {
  readonly issuer: string;
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly signer: KeyObject | string;
  readonly now: Date;
  readonly days: number;
  readonly extensions: readonly Buffer[];
}

const ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";
const COMMON_NAME = "2.5.4.3";
const EXTENSION_REQUEST = "1.2.840.113549.1.9.14";

function certificateOf({ issuer, subject, publicKey, signer, now, days, extensions }: CertificateParts): string {
  const algorithm = sequence(objectId(ECDSA_WITH_SHA256));
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x7f) | 0x40; // positive, and never shorter
  const body = sequence(
    element(0xa0, integer(Buffer.from([2]))), // version 3
    integer(serial),
    algorithm,
    nameOf(issuer),
    sequence(time(now.getTime() - EARLIER_MS), time(now.getTime() + days * DAY_MS)),
    nameOf(subject),
    publicKey.export({ type: "spki", format: "der" }),
    element(0xa3, sequence(...extensions)),
  );
  const signature = sign("sha256", body, signer);
  const text = sequence(body, algorithm, bitString(signature))
    .toString("base64")
    .replaceAll(/.{64}(?=.)/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
}

const pemOf = (key: KeyObject): string => key.export({ type: "pkcs8", format: "pem" }).toString();

/** Identifier of a key by method 1 of RFC 5280, 4.2.1.2. */
function keyIdOf(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  return createHash("sha1")
    .update(Buffer.concat([Buffer.from([4]), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]))
    .digest();
}

const commonNameOf = ({ subject }: X509Certificate): string => /^CN=(.*)$/m.exec(subject)?.[1] ?? "";

const nameOf = (commonName: string): Buffer =>
  sequence(element(0x31, sequence(objectId(COMMON_NAME), element(0x0c, Buffer.from(commonName)))));

const extension = (id: string, value: Buffer, isCritical = false): Buffer =>
  sequence(objectId(id), ...(isCritical ? [TRUE] : []), element(0x04, value));

const namesExtension = (names: readonly string[]): Buffer =>
  extension("2.5.29.17", sequence(...names.map(alternativeName)));

function alternativeName(name: string): Buffer {
  if (!isIP(name)) return element(0x82, Buffer.from(name));
  return element(0x87, isIPv6(name) ? bytesOfIPv6(name) : Buffer.from(name.split(".").map(Number)));
}
