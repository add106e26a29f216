import { createHash, createPublicKey, randomBytes, verify, type JsonWebKey, type KeyObject } from "node:crypto";
import { once } from "node:events";
import { createServer, request, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { createAuthority, signServerCertificate } from "../http/certificates.ts";

/** How the authority misbehaves. */
export type AcmeFault =
  | "refuses"
  | "hangs"
  | "limits"
  | "bad nonces"
  | "names another host"
  | "invalidates the order"
  | "unknown format";

/** An ACME authority (RFC 8555) that checks every signature, nonce, challenge and signing request. */
export interface AcmeServer {
  readonly directory: string;
  /** Certificate of the authority, in PEM. */
  readonly authority: string;
  fault: AcmeFault | undefined;
  /** Port at which challenges are fetched instead of port 80. */
  challengePort: number;
  /** Names of the orders so far. */
  readonly ordered: string[];
  readonly contacts: unknown[];
  readonly accountCount: () => number;
  close(): void;
}

interface Order {
  readonly name: string;
  readonly token: string;
  status: "pending" | "ready" | "valid" | "invalid";
  problem?: object;
  certificate?: string;
}

class Refusal extends Error {
  readonly status: number;
  readonly type: string;
  constructor(status: number, type: string, detail = type) {
    super(detail);
    this.status = status;
    this.type = `urn:ietf:params:acme:error:${type}`;
  }
}

const ALG = { dsaEncoding: "ieee-p1363" } as const;
const LIFETIME_DAYS = 90;

export async function startAcmeServer(now: () => number = Date.now): Promise<AcmeServer> {
  const authority = createAuthority("Authority of tests");
  const nonces = new Set<string>();
  const accounts = new Map<string, JsonWebKey>();
  const orders: Order[] = [];
  let badNonces = 0;

  const nonce = () => {
    const fresh = randomBytes(8).toString("base64url");
    nonces.add(fresh);
    return fresh;
  };

  /** Checks a JSON Web Signature. @returns the payload and the key of the account */
  const open = (url: string, text: string) => {
    const { protected: head, payload, signature } = JSON.parse(text);
    const { alg, nonce: used, url: signed, jwk, kid } = decode(head);
    if (server.fault === "bad nonces" && badNonces++ % 3 < 2) throw new Refusal(400, "badNonce");
    if (!nonces.delete(used)) throw new Refusal(400, "badNonce");
    const key = (jwk ?? accounts.get(kid)) as JsonWebKey | undefined;
    if (!key || alg !== "ES256" || signed !== url || (jwk !== undefined) !== url.endsWith("/account"))
      throw new Refusal(401, "unauthorized");
    const publicKey = createPublicKey({ key, format: "jwk" });
    if (
      !verify(
        "sha256",
        Buffer.from(`${head}.${payload}`),
        { key: publicKey, ...ALG },
        Buffer.from(signature, "base64url"),
      )
    )
      throw new Refusal(401, "unauthorized", "The signature is wrong.");
    return { payload: payload === "" ? undefined : decode(payload), jwk: key };
  };

  const thumbprint = ({ crv, kty, x, y }: JsonWebKey) =>
    createHash("sha256").update(JSON.stringify({ crv, kty, x, y })).digest("base64url");

  const check = async (order: Order, jwk: JsonWebKey) => {
    const path = `/.well-known/acme-challenge/${order.token}`;
    const sent = request({ host: "127.0.0.1", port: server.challengePort, path, headers: { host: order.name } });
    sent.end();
    const found = await once(sent, "response").then(
      ([response]) => textOf(response),
      () => undefined,
    );
    order.status = found === `${order.token}.${thumbprint(jwk)}` ? "ready" : "invalid";
    if (order.status === "invalid") order.problem = { type: "connection", detail: "Connection refused" };
  };

  const orderBody = (order: Order, i: number) => ({
    status: order.status,
    identifiers: [{ type: "dns", value: order.name }],
    authorizations: [`${base}/authorization/${i}`],
    finalize: `${base}/finalize/${i}`,
    ...(order.problem && { error: order.problem }),
    ...(order.certificate && { certificate: `${base}/certificate/${i}` }),
  });

  const finalize = (order: Order, csr: string) => {
    if (order.status !== "ready") throw new Refusal(403, "orderNotReady");
    const { names, publicKey } = readSigningRequest(Buffer.from(csr, "base64url"));
    if (names.join() !== order.name) throw new Refusal(403, "badCSR", `The request names ${names.join()}.`);
    if (server.fault === "invalidates the order") {
      order.status = "invalid";
      order.problem = { type: "caa", detail: "CAA record forbids issuance" };
      return;
    }
    const certified = server.fault === "names another host" ? ["other.example.org"] : names;
    const cert = signServerCertificate(authority, publicKey, {
      names: certified,
      now: new Date(now()),
      days: LIFETIME_DAYS,
    });
    order.certificate = `${cert}\n${authority.cert}`;
    order.status = "valid";
  };

  const answer = async (url: string, text: string): Promise<[status: number, body: unknown, location?: string]> => {
    const [, kind, index] = /\/(\w+)(?:\/(\d+))?$/.exec(url)!;
    const order = orders[Number(index)];
    const { payload, jwk } = open(url, text);
    if (kind === "account") {
      const kid = `${base}/accounts/${thumbprint(jwk)}`;
      if (payload.termsOfServiceAgreed !== true) throw new Refusal(403, "userActionRequired");
      server.contacts.push(payload.contact);
      accounts.set(kid, jwk);
      return [201, { status: "valid" }, kid];
    }
    if (kind === "order" && index === undefined) {
      if (server.fault === "limits") throw new Refusal(429, "rateLimited", "Too many certificates for this name");
      const name = payload.identifiers[0].value as string;
      const i = orders.push({ name, token: randomBytes(16).toString("base64url"), status: "pending" }) - 1;
      server.ordered.push(name);
      return [201, orderBody(orders[i]!, i), `${base}/order/${i}`];
    }
    if (order === undefined) throw new Refusal(404, "malformed");
    if (kind === "order") return [200, orderBody(order, Number(index))];
    if (kind === "challenge") await check(order, jwk);
    if (kind === "finalize") finalize(order, payload.csr);
    if (kind === "certificate") return [200, order.certificate];
    if (kind === "finalize") return [200, orderBody(order, Number(index))];
    const isOpen = order.status === "pending" || order.status === "invalid";
    const challenge = { type: "http-01", url: `${base}/challenge/${index}`, token: order.token, error: order.problem };
    return [200, { status: isOpen ? order.status : "valid", challenges: [{ type: "dns-01", url: base }, challenge] }];
  };

  const http = createServer(async (incoming, outgoing) => {
    const url = base + incoming.url;
    if (server.fault === "hangs") return;
    if (server.fault === "refuses") return void incoming.socket.destroy();
    const send = (status: number, body: unknown, location?: string) => {
      if (location !== undefined) outgoing.setHeader("location", location);
      if (status === 429) outgoing.setHeader("retry-after", "86400");
      outgoing.writeHead(status, { "replay-nonce": nonce() });
      outgoing.end(typeof body === "string" ? body : JSON.stringify(body));
    };
    const addresses = { newNonce: `${base}/nonce`, newAccount: `${base}/account`, newOrder: `${base}/order` };
    if (url.endsWith("/directory")) return send(200, server.fault === "unknown format" ? "<html>" : addresses);
    if (url.endsWith("/nonce")) return send(200, "");
    try {
      if (incoming.headers["content-type"] !== "application/jose+json") throw new Refusal(415, "malformed");
      send(...(await answer(url, await textOf(incoming))));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      send(error.status, { type: error.type, detail: error.message });
    }
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const base = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const server: AcmeServer = {
    directory: `${base}/directory`,
    authority: authority.cert,
    fault: undefined,
    challengePort: 0,
    ordered: [],
    contacts: [],
    accountCount: () => accounts.size,
    close: () => {
      http.closeAllConnections();
      http.close();
    },
  };
  return server;
}

const decode = (text: string) => JSON.parse(Buffer.from(text, "base64url").toString());

async function textOf(stream: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Reads a signing request (RFC 2986) and checks its signature. */
function readSigningRequest(request: Buffer): { readonly names: string[]; readonly publicKey: KeyObject } {
  const [outer] = readElements(request);
  const [body, , signature] = readElements(outer!.content);
  const [, , key, attributes] = readElements(body!.content);
  const publicKey = createPublicKey({ key: key!.whole, format: "der", type: "spki" });
  if (!verify("sha256", body!.whole, publicKey, signature!.content.subarray(1))) throw new Refusal(403, "badCSR");
  const [, values] = readElements(readElements(attributes!.content)[0]!.content);
  const extensions = readElements(readElements(values!.content)[0]!.content);
  const names = readElements(extensions[0]!.content).at(-1)!;
  const listed = readElements(readElements(names.content)[0]!.content);
  return { names: listed.map(({ content }) => content.toString()), publicKey };
}

/** Splits DER into its elements. */
function readElements(bytes: Buffer): { readonly whole: Buffer; readonly content: Buffer }[] {
  if (bytes.length === 0) return [];
  const long = bytes[1]! & 0x80 ? bytes[1]! & 0x7f : 0;
  const length = long === 0 ? bytes[1]! : bytes.readUIntBE(2, long);
  const [start, end] = [2 + long, 2 + long + length];
  return [{ whole: bytes.subarray(0, end), content: bytes.subarray(start, end) }, ...readElements(bytes.subarray(end))];
}
