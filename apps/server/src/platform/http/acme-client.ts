import { createHash, createPublicKey, sign } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { createSigningRequest, type KeyedCertificate } from "./certificates.ts";

/** Path below which a certificate authority fetches the response to a challenge (RFC 8555, 8.3). */
export const CHALLENGE_PATH = "/.well-known/acme-challenge/";

/** Time for one response of the certificate authority, ms. */
const RESPONSE_MS = 30_000;
/** Interval between two questions whether the certificate authority is done, ms. */
const POLL_MS = 2000;
/** Longest interval that the authority may ask for, ms. */
const MAX_POLL_MS = 30_000;
/** Questions after which the certificate authority counts as too slow: at least 3 minutes. */
const MAX_POLLS = 90;
/** Requests that are sent again because the nonce was refused, as after a long pause. */
const MAX_NONCES = 5;
const ERROR_TYPE = "urn:ietf:params:acme:error:";

export interface CertificateOrder {
  /** Address of the authority's directory. */
  readonly directory: string;
  /** Private key of the account, in PEM: ECDSA P-256. */
  readonly accountKey: string;
  readonly email?: string | undefined;
  /** Host name to certify. */
  readonly name: string;
  /** Sentence for the operator if the authority cannot fetch the response. */
  readonly advice: string;
  /** Publishes the response to a challenge at {@link CHALLENGE_PATH} until the order ends. */
  readonly publish: (token: string, response: string) => void;
  /** See {@link RESPONSE_MS}; shorter in tests. */
  readonly responseMs?: number;
  /** See {@link POLL_MS}; shorter in tests. */
  readonly pollMs?: number;
}

/** The certificate authority cannot be reached or refused the order. The message is a sentence for the operator. */
export class OrderError extends Error {
  /** Time that the authority asked to wait, ms. */
  readonly retryAfterMs: number | undefined;
  constructor(message: string, retryAfterMs?: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

const directorySchema = z.object({ newNonce: z.url(), newAccount: z.url(), newOrder: z.url() });
const statusSchema = z.object({ status: z.string() });
const problemSchema = z.object({ type: z.string().default(""), detail: z.string().default("") });
const orderSchema = statusSchema.extend({
  authorizations: z.array(z.url()),
  finalize: z.url(),
  certificate: z.url().optional(),
  error: problemSchema.optional(),
});
const authorizationSchema = statusSchema.extend({
  challenges: z.array(
    z.object({ type: z.string(), url: z.url(), token: z.string().optional(), error: problemSchema.optional() }),
  ),
});

/**
 * Orders a certificate by ACME (RFC 8555) with the challenge http-01.
 *
 * @returns the certificate with its chain, and a new key
 * @throws OrderError
 */
export async function orderCertificate(order: CertificateOrder): Promise<KeyedCertificate> {
  const authority = new Authority(order);
  await authority.signIn();
  const { url, authorizations, finalize } = await authority.createOrder();
  for (const authorization of authorizations) await authority.authorize(authorization);
  await authority.pollOrder(url, "ready");
  const { request, key } = createSigningRequest(order.name);
  await authority.post(finalize, { csr: request.toString("base64url") });
  const { certificate } = await authority.pollOrder(url, "valid");
  if (certificate === undefined) throw authority.unexpected();
  return { cert: withoutText(await (await authority.post(certificate, undefined)).text()), key };
}

/** One certificate authority with our account. */
class Authority {
  readonly #order: CertificateOrder;
  readonly #host: string;
  readonly #jwk: { readonly crv: string; readonly kty: string; readonly x: string; readonly y: string };
  #addresses: z.infer<typeof directorySchema> | undefined;
  #nonce: string | null = null;
  /** Address of the account; undefined until it is known. */
  #account: string | undefined;

  constructor(order: CertificateOrder) {
    this.#order = order;
    this.#host = new URL(order.directory).host;
    const { crv = "", kty = "", x = "", y = "" } = createPublicKey(order.accountKey).export({ format: "jwk" });
    this.#jwk = { crv, kty, x, y }; // in this order the thumbprint is computed (RFC 7638)
  }

  /** Reads the directory and creates the account, or finds the one of this key. */
  async signIn(): Promise<void> {
    this.#addresses = await this.#parse(await this.#fetch(this.#order.directory), directorySchema);
    const { email } = this.#order;
    const contact = email === undefined ? {} : { contact: [`mailto:${email}`] };
    const response = await this.post(this.#addresses.newAccount, { termsOfServiceAgreed: true, ...contact });
    this.#account = this.#locationOf(response);
  }

  async createOrder(): Promise<{ readonly url: string } & z.infer<typeof orderSchema>> {
    const identifiers = [{ type: "dns", value: this.#order.name }];
    const response = await this.post(this.#directory().newOrder, { identifiers });
    return { url: this.#locationOf(response), ...(await this.#parse(response, orderSchema)) };
  }

  /** Proves that the name leads to this server. */
  async authorize(url: string): Promise<void> {
    const { status, challenges } = await this.#parse(await this.post(url, undefined), authorizationSchema);
    if (status === "valid") return;
    const challenge = challenges.find(({ type }) => type === "http-01");
    if (challenge?.token === undefined) throw new OrderError(`${this.#host} offers no challenge http-01.`);
    const thumbprint = createHash("sha256").update(JSON.stringify(this.#jwk)).digest("base64url");
    this.#order.publish(challenge.token, `${challenge.token}.${thumbprint}`);
    await this.post(challenge.url, {});
    await this.#poll(url, authorizationSchema, "valid", (found) => {
      const detail = found.challenges.map(({ error }) => error?.detail).find(Boolean);
      return `could not fetch http://${this.#order.name}${CHALLENGE_PATH}…: ${asSentence(detail || "no reason given")} ${this.#order.advice}`;
    });
  }

  async pollOrder(url: string, status: "ready" | "valid"): Promise<z.infer<typeof orderSchema>> {
    return this.#poll(
      url,
      orderSchema,
      status,
      ({ error }) => `refused the order: ${asSentence(error?.detail || "no reason given")}`,
    );
  }

  /** Asks until a resource has the status. @param refusal describes an invalid one */
  async #poll<T extends { readonly status: string }>(
    url: string,
    schema: z.ZodType<T>,
    status: string,
    refusal: (found: T) => string,
  ): Promise<T> {
    for (let i = 0; i < MAX_POLLS; i++) {
      const response = await this.post(url, undefined);
      const found = await this.#parse(response, schema);
      if (found.status === status) return found;
      if (found.status === "invalid") throw new OrderError(`${this.#host} ${refusal(found)}`);
      await pause(Math.min(Math.max(this.#order.pollMs ?? POLL_MS, retryAfter(response) ?? 0), MAX_POLL_MS));
    }
    throw new OrderError(`${this.#host} did not finish the order within minutes.`);
  }

  /** Sends a signed request; without a payload it reads. */
  async post(url: string, payload: object | undefined): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      this.#nonce ??= (await this.#fetch(this.#directory().newNonce, { method: "HEAD" })).headers.get("replay-nonce");
      const body = this.#sign(url, payload);
      this.#nonce = null; // each is good for one request
      const headers = { "content-type": "application/jose+json" };
      const response = await this.#fetch(url, { method: "POST", headers, body });
      this.#nonce = response.headers.get("replay-nonce");
      if (response.ok) return response;
      const problem = problemSchema.safeParse(await response.json().catch(() => undefined)).data;
      if (problem?.type === `${ERROR_TYPE}badNonce` && attempt < MAX_NONCES) continue;
      const why = problem ? asSentence(problem.detail || problem.type) : `It answered with status ${response.status}.`;
      throw new OrderError(`${this.#host} refused the request: ${why}`, retryAfter(response));
    }
  }

  unexpected(): OrderError {
    return new OrderError(`${this.#host} answered in an unexpected format. Check FOLLOWSPOT_ACME_DIRECTORY.`);
  }

  #directory(): z.infer<typeof directorySchema> {
    if (this.#addresses === undefined) throw this.unexpected();
    return this.#addresses;
  }

  #locationOf({ headers }: Response): string {
    const url = headers.get("location");
    if (url === null) throw this.unexpected();
    return url;
  }

  /** Signs a request as a JSON Web Signature (RFC 7515). */
  #sign(url: string, payload: object | undefined): string {
    const key = this.#account === undefined ? { jwk: this.#jwk } : { kid: this.#account };
    const head = base64url(JSON.stringify({ alg: "ES256", nonce: this.#nonce, url, ...key }));
    const text = payload === undefined ? "" : base64url(JSON.stringify(payload));
    const signer = { key: this.#order.accountKey, dsaEncoding: "ieee-p1363" } as const;
    const signature = sign("sha256", Buffer.from(`${head}.${text}`), signer).toString("base64url");
    return JSON.stringify({ protected: head, payload: text, signature });
  }

  async #fetch(url: string, init: RequestInit = {}): Promise<Response> {
    try {
      return await fetch(url, { ...init, signal: AbortSignal.timeout(this.#order.responseMs ?? RESPONSE_MS) });
    } catch (error) {
      const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
      const why = name === "TimeoutError" ? "no response in time" : (cause?.code ?? cause?.message ?? message);
      throw new OrderError(
        `${this.#host} cannot be reached (${why}). Check this machine's connection to the internet and its clock.`,
      );
    }
  }

  async #parse<T>(response: Response, schema: z.ZodType<T>): Promise<T> {
    const parsed = response.ok && schema.safeParse(await response.json().catch(() => undefined));
    if (parsed && parsed.success) return parsed.data;
    throw response.ok
      ? this.unexpected()
      : new OrderError(`${this.#host} answered with status ${response.status}.`, retryAfter(response));
  }
}

const base64url = (text: string): string => Buffer.from(text).toString("base64url");

const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Certificates alone, each followed by a line feed: authorities may put text between them (RFC 8555, 9.1). */
const withoutText = (pem: string): string =>
  (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [])
    .map((each) => `${each.replaceAll("\r", "")}\n`)
    .join("");

/** Returns the time that a Retry-After header asks to wait, ms. */
function retryAfter({ headers }: Response): number | undefined {
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}
