import { BlobError } from "./blob-store.ts";

/** Fields of a failed request from the SDK and the store. */
interface S3Fault {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> };
}

const EXPIRED = ["ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired", "RequestExpired"];
const SKEWED = ["RequestTimeTooSkewed", "RequestInTheFuture"];
const ELSEWHERE = ["PermanentRedirect", "AuthorizationHeaderMalformed", "IllegalLocationConstraintException"];
const SILENT = ["TimeoutError", "AbortError"];
const NO_CREDENTIALS = ["CredentialsProviderError", "TokenProviderError"];

const statusOf = (error: unknown) => (error as S3Fault | undefined)?.$metadata?.httpStatusCode;

export const isMissing = (error: unknown): boolean => {
  const { name } = (error ?? {}) as S3Fault;
  return name === "NoSuchKey" || name === "NotFound" || (statusOf(error) === 404 && name !== "NoSuchBucket");
};

/** Fault of a program at the store's address that is no S3 store. */
export const notAStore = (status: number): BlobError =>
  new BlobError(
    "away",
    `The S3 store does not answer: a web page came from its address (status ${status}). Check FOLLOWSPOT_BLOBS, and the proxy in front of the store.`,
  );

/** Whether the store holds a different version than the requested one. */
export const isOther = (error: unknown): boolean => [409, 412].includes(statusOf(error) ?? 0);

/** Whether credentials were rejected; they may have been rotated. */
export const isOfCredentials = (error: unknown): boolean => {
  const { name = "" } = error as S3Fault;
  return [...EXPIRED, ...NO_CREDENTIALS].includes(name) || [401, 403].includes(statusOf(error) ?? 0);
};

/**
 * Explains a fault of the store or the connection in a sentence for users. It is public in /health, so it names no
 * location.
 */
export function explained(error: unknown, now: Date): BlobError {
  if (error instanceof BlobError) return error;
  const { name = "", code, $response } = error as S3Fault;
  const refused = (text: string) => new BlobError("refused", text, error);
  if (NO_CREDENTIALS.includes(name))
    return refused(
      "There are no credentials for the S3 store. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this machine a profile or a role.",
    );
  if (EXPIRED.includes(name))
    return refused("The credentials for the S3 store have expired. Renew them where they come from.");
  if (SKEWED.includes(name))
    return refused(`The S3 store refuses requests: ${skew($response?.headers, now)}. Set it right.`);
  if (name === "NoSuchBucket") return refused("The S3 store has no such bucket. Make it, or correct FOLLOWSPOT_BLOBS.");
  if (ELSEWHERE.includes(name) || statusOf(error) === 301)
    return refused("The bucket lies in another region of the S3 store. Name it with region= in FOLLOWSPOT_BLOBS.");
  if (isOfCredentials(error))
    return refused(
      `The S3 store refuses our credentials${/^[A-Za-z]+$/.test(name) ? ` (${name})` : ""}. Check them, and what they allow.`,
    );
  const why = SILENT.includes(name) ? "no response" : (code ?? `${name} ${statusOf(error) ?? ""}`.trim());
  return new BlobError(
    "away",
    `The S3 store does not answer (${why}). Files of songs can be had again once it does.`,
    error,
  );
}

function skew(headers: Readonly<Record<string, string>> = {}, now: Date): string {
  const theirs = Date.parse(headers.date ?? "");
  if (Number.isNaN(theirs)) return "the clock of this machine is wrong";
  const minutes = Math.round(Math.abs(now.getTime() - theirs) / 60_000);
  return `the clock of this machine is off by ${minutes} minutes`;
}
