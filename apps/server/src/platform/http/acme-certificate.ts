import { createPrivateKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { CHALLENGE_PATH, orderCertificate, OrderError, type CertificateOrder } from "./acme-client.ts";
import { writeFileAtomic } from "../files/atomic-file.ts";
import { readPair, writePair } from "./authority.ts";
import type { KeyedCertificate } from "./certificates.ts";
import { every } from "../every.ts";
import { inBackground } from "../process/in-background.ts";
import { LOOPBACK, type Settings } from "../settings.ts";

/** Interval between checks whether the certificate must be renewed, ms. */
const CHECK_MS = 60_000;
/** Remaining lifetime at which a certificate is renewed, ms; a third of the lifetime if that is shorter. */
const RENEW_MS = 30 * 86_400_000;
/** Pause after the first failed order, doubled after each further one, ms. Authorities allow five failures an hour. */
const FIRST_RETRY_MS = 5 * 60_000;
const MAX_RETRY_MS = 12 * 3_600_000;

type AcmeSettings = Pick<
  Settings,
  "FOLLOWSPOT_ACME_DIRECTORY" | "FOLLOWSPOT_ACME_EMAIL" | "FOLLOWSPOT_DATA_DIR" | "HOST" | "PORT"
> & { readonly FOLLOWSPOT_ACME: string };

export interface AcmePorts {
  /** Makes the server present this certificate for the name. */
  readonly use: (certificate: KeyedCertificate) => void;
  readonly info: (message: string) => void;
  readonly warn: (message: string) => void;
  /** Clock, ms; this machine's clock if absent. */
  readonly now?: () => number;
  /** Shorter intervals in tests. */
  readonly client?: Pick<CertificateOrder, "responseMs" | "pollMs">;
}

/** A certificate for a public name: ordered from an authority by ACME, stored in the data folder, and renewed. */
export class AcmeCertificate {
  readonly #settings: AcmeSettings;
  readonly #ports: AcmePorts;
  /** Responses to pending challenges, by token. */
  readonly #responses = new Map<string, string>();
  #certificate: KeyedCertificate | undefined;
  #isOrdering = false;
  /** Failed orders since the last certificate. */
  #failures = 0;
  #problem: string | undefined;
  #retryAt = 0;
  #stop: (() => void) | undefined;

  private constructor(settings: AcmeSettings, ports: AcmePorts) {
    this.#settings = settings;
    this.#ports = ports;
  }

  /** Reads the stored certificate and presents it. */
  static async open(settings: AcmeSettings, ports: AcmePorts): Promise<AcmeCertificate> {
    const opened = new AcmeCertificate(settings, ports);
    const stored = await readPair(opened.#folder, opened.#fileName);
    if (stored && problemOf(stored, settings.FOLLOWSPOT_ACME) === undefined) opened.#present(stored);
    return opened;
  }

  /** Answers the challenges of the authority, also over plain http. */
  registerChallenges(app: FastifyInstance): void {
    app.get(`${CHALLENGE_PATH}:token`, async (request, reply) => {
      const response = this.#responses.get((request.params as { token: string }).token);
      return reply
        .code(response === undefined ? 404 : 200)
        .type("text/plain")
        .send(response ?? "There is no such challenge.");
    });
  }

  /** Orders a certificate if there is none, and renews it from now on. The server must listen. */
  start(): void {
    inBackground("ordering the certificate", this.look(), this.#ports.warn);
    this.#stop = every(CHECK_MS, "renewing the certificate", () => this.look(), this.#ports.warn);
  }

  close(): void {
    this.#stop?.();
  }

  /** Faults for /health: the name has no valid certificate. */
  get reasons(): readonly string[] {
    if (this.#problem === undefined || this.#msLeft() > 0) return [];
    const state = this.#certificate ? `ended ${dayOf(endOf(this.#certificate))}` : "is missing";
    return [`The certificate for ${this.#name} ${state}. ${this.#whyAndWhen()}`];
  }

  /** Public name of this server. */
  get name(): string {
    return this.#name;
  }

  /** End of the certificate, ms since 1970; undefined if there is none. */
  get endsAtMs(): number | undefined {
    return this.#certificate && endOf(this.#certificate);
  }

  /** Warnings for /health: the certificate was not renewed in time. */
  get warnings(): readonly string[] {
    if (this.#problem === undefined || this.#certificate === undefined || this.#msLeft() <= 0) return [];
    const end = dayOf(endOf(this.#certificate));
    return [`The certificate for ${this.#name} could not be renewed and ends ${end}. ${this.#whyAndWhen()}`];
  }

  /** Orders a certificate if one is due. The old one stays in use until then. */
  async look(): Promise<void> {
    if (this.#isOrdering || this.#now() < this.#retryAt || !this.#isDue()) return;
    this.#isOrdering = true;
    try {
      await this.#order();
    } catch (error) {
      this.#fail(error as Error);
    } finally {
      this.#isOrdering = false;
      this.#responses.clear();
    }
  }

  async #order(): Promise<void> {
    const { FOLLOWSPOT_ACME_DIRECTORY: directory, FOLLOWSPOT_ACME_EMAIL: email } = this.#settings;
    const ordered = await orderCertificate({
      ...{ directory, email, name: this.#name, advice: this.#advice(), accountKey: await this.#accountKey() },
      ...this.#ports.client,
      publish: (token, response) => void this.#responses.set(token, response),
    });
    const problem = problemOf(ordered, this.#name) ?? this.#clockProblem(ordered);
    if (problem !== undefined) throw new OrderError(`${new URL(directory).host} ${problem}`);
    await writePair(this.#folder, this.#fileName, ordered);
    this.#failures = 0;
    this.#problem = undefined;
    this.#present(ordered);
    this.#ports.info(`The certificate for ${this.#name} is valid until ${dayOf(endOf(ordered))}.`);
  }

  #fail(error: Error): void {
    const pauseMs = Math.min(FIRST_RETRY_MS * 2 ** this.#failures, MAX_RETRY_MS);
    const asked = error instanceof OrderError ? (error.retryAfterMs ?? 0) : 0;
    this.#failures++;
    this.#retryAt = this.#now() + Math.max(pauseMs, asked);
    this.#problem = error.message;
    for (const line of [...this.reasons, ...this.warnings]) this.#ports.warn(line);
  }

  #present(certificate: KeyedCertificate): void {
    this.#certificate = certificate;
    this.#ports.use(certificate);
  }

  #isDue(): boolean {
    return this.#certificate === undefined || this.#msLeft() < renewalMs(this.#certificate);
  }

  #msLeft(): number {
    return this.#certificate === undefined ? 0 : endOf(this.#certificate) - this.#now();
  }

  /** A wrong clock would make this server order again and again. */
  #clockProblem(ordered: KeyedCertificate): string | undefined {
    const now = this.#now();
    const isAhead = endOf(ordered) - now < renewalMs(ordered);
    if (!isAhead && Date.parse(new X509Certificate(ordered.cert).validFrom) <= now) return undefined;
    const clock = `${new Date(now).toISOString().slice(0, 16).replace("T", " ")} UTC`;
    return `issued a certificate that does not fit this machine's clock, which shows ${clock}. Set the clock.`;
  }

  #advice(): string {
    const { HOST, PORT } = this.#settings;
    const setHost = LOOPBACK.includes(HOST) ? "Set HOST=0.0.0.0, and forward" : "Forward";
    return `${setHost} port 80 of ${this.#name} to port ${PORT} of this machine.`;
  }

  #whyAndWhen(): string {
    const when = new Date(this.#retryAt).toISOString();
    return `${this.#problem} Next try: ${dayOf(this.#retryAt)}, ${when.slice(11, 16)} UTC.`;
  }

  /** Reads the private key of the account; creates it once. */
  async #accountKey(): Promise<string> {
    const path = join(this.#folder, "acme-account.pem");
    const stored = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
      return undefined;
    });
    if (stored !== undefined) return stored;
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    await writeFileAtomic(path, key, String(process.pid), 0o600);
    return key;
  }

  get #name(): string {
    return this.#settings.FOLLOWSPOT_ACME;
  }

  get #folder(): string {
    return join(this.#settings.FOLLOWSPOT_DATA_DIR, "tls");
  }

  /** Names the authority as well: one for tests issues certificates that no browser accepts. */
  get #fileName(): string {
    return `${this.#name}@${new URL(this.#settings.FOLLOWSPOT_ACME_DIRECTORY).hostname}`;
  }

  #now(): number {
    return this.#ports.now?.() ?? Date.now();
  }
}

/** Returns why a certificate is not usable for the name, without its dates. */
function problemOf({ cert, key }: KeyedCertificate, name: string): string | undefined {
  try {
    const certificate = new X509Certificate(cert);
    if (certificate.checkHost(name) === undefined) return `issued a certificate that does not name ${name}.`;
    return certificate.checkPrivateKey(createPrivateKey(key)) ? undefined : "issued a certificate for another key.";
  } catch {
    return "issued no certificate.";
  }
}

const endOf = ({ cert }: KeyedCertificate): number => Date.parse(new X509Certificate(cert).validTo);

function renewalMs({ cert }: KeyedCertificate): number {
  const { validFrom, validTo } = new X509Certificate(cert);
  return Math.min(RENEW_MS, (Date.parse(validTo) - Date.parse(validFrom)) / 3);
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
