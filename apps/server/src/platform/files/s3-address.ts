/** Location in an S3 store from a setting, without credentials. */
export interface S3Address {
  /** Text of the setting. */
  readonly text: string;
  readonly bucket: string;
  /** Prefix of every key: "" or "songs-of/office/". */
  readonly prefix: string;
  /** Undefined: the store of AWS. */
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
  /** Whether the bucket is in the path instead of the host name. */
  readonly isPathStyle: boolean;
  /** Whether browsers fetch audio directly from the store by signed links. */
  readonly hasLinks: boolean;
}

export const S3_FORM = "s3://bucket/prefix?endpoint=https://…&region=…&path-style=1&links=1";

const KNOWN = ["endpoint", "region", "path-style", "links"];
const isBucket = (text: string) => /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text);
const isPrefixPart = (text: string) => /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(text);
const isRegion = (text: string) => /^[a-z0-9-]{1,40}$/.test(text);

function isEndpoint(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.username || url.password || url.search || url.hash) return false;
  return (url.protocol === "https:" || url.protocol === "http:") && url.pathname === "/";
}

/** @returns the address, or the error that completes "FOLLOWSPOT_BLOBS: …" */
export function readS3Address(text: string): S3Address | string {
  const url = URL.parse(text);
  if (!url || url.protocol !== "s3:" || url.username || url.password || url.port || url.hash)
    return `must be ${S3_FORM}, without credentials`;
  const { hostname: bucket, pathname, searchParams: given } = url;
  const parts = pathname.split("/").filter((part) => part !== "");
  const stranger = [...given.keys()].find((name) => !KNOWN.includes(name));
  if (stranger !== undefined) return `knows no ${stranger}=; there are ${KNOWN.join("=, ")}=`;
  const flag = (name: string) => (given.get(name) ?? "0") === "1";
  const isFlag = (name: string) => /^[01]$/.test(given.get(name) ?? "0");
  const endpoint = given.get("endpoint") ?? undefined;
  const region = given.get("region") ?? undefined;
  if (!isBucket(bucket)) return "must name a bucket of 3 to 63 small letters, digits, dots and dashes";
  if (!parts.every(isPrefixPart)) return "must have a prefix of letters, digits, dots, dashes and _";
  if (endpoint !== undefined && !isEndpoint(endpoint)) return "endpoint= must be https://host or http://host:port";
  if (region !== undefined && !isRegion(region)) return "region= must be one such as eu-central-1";
  if (flag("links") && endpoint === undefined) return "links=1 needs endpoint=, so that pages may read from there";
  if (!isFlag("path-style") || !isFlag("links")) return "path-style= and links= must be 1 or 0";
  return {
    text,
    bucket,
    prefix: parts.map((part) => `${part}/`).join(""),
    endpoint,
    region,
    isPathStyle: flag("path-style"),
    hasLinks: flag("links"),
  };
}

/** Returns the origin of signed links for browsers; undefined if there are none. */
export function linkOrigin(address: S3Address | undefined): string | undefined {
  if (!address?.hasLinks || address.endpoint === undefined) return undefined;
  const url = new URL(address.endpoint);
  return address.isPathStyle ? url.origin : `${url.protocol}//${address.bucket}.${url.host}`;
}
