import { once } from "node:events";
import { isIP, Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import postgres from "postgres";
import { noteConnectionError } from "./database-fault.ts";

/** Client message that asks for TLS: length 8, code 80877103 (PostgreSQL protocol 3.0, SSLRequest). */
export const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);
const TAKES_TLS = "S".charCodeAt(0);
/** Time for a server to reply whether it accepts TLS, ms. */
const ANSWER_MS = 5000;
/** Values of `sslmode` that do not verify the server's identity. */
const WITHOUT_PROOF = new Set<unknown>(["allow", "prefer", "require"]);

/**
 * Size of a server message's header: its type, and its length as 32 bits, which includes itself (PostgreSQL protocol
 * 3.0, Message Formats).
 */
const HEADER_BYTES = 5;
const ERROR_RESPONSE = "E".charCodeAt(0);
/** Fields of an ErrorResponse by letter (Error and Notice Message Fields), with the driver's names. */
const FIELDS: Readonly<Record<string, string>> = {
  S: "severity_local",
  V: "severity",
  C: "code",
  M: "message",
  D: "detail",
  H: "hint",
  R: "routine",
};
/** Severities after which the server closes the connection. */
const LAST = new Set(["FATAL", "PANIC"]);

/** Address of a database. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/**
 * Opens a connection for the driver, which receives its errors.
 * @param sslMode `sslmode` as parsed by the driver; false for a connection without TLS
 */
export async function openSocket(place: Place, sslMode: unknown): Promise<Socket> {
  const socket = new Socket().connect(place);
  if (!sslMode) return endAsTheDriverExpects(socket);
  try {
    if (!(await takesTls(socket))) {
      if (sslMode === "prefer") return endAsTheDriverExpects(socket);
      throw new Error("the database takes no TLS, which sslmode asks for");
    }
    const servername = isIP(place.host) ? {} : { servername: place.host };
    const proof = { host: place.host, rejectUnauthorized: !WITHOUT_PROOF.has(sslMode) };
    return endAsTheDriverExpects(connectTls({ socket, ...servername, ...proof }));
  } catch (error) {
    socket.on("error", () => {}).destroy();
    return failedSocket(error as Error);
  }
}

/** Returns a connection that fails with an error. */
export function failedSocket(error: Error): Socket {
  const failed = endAsTheDriverExpects(new Socket());
  // The driver adds its listeners after it has received the socket.
  setImmediate(() => failed.destroy(error));
  return failed;
}

async function takesTls(socket: Socket): Promise<boolean> {
  const silence = setTimeout(() => socket.destroy(unanswered("CONNECT_TIMEOUT")), ANSWER_MS);
  const closed = once(socket, "close").then(() => Promise.reject(unanswered("CONNECTION_CLOSED")));
  try {
    socket.write(SSL_REQUEST);
    const [answer] = (await Promise.race([once(socket, "data"), closed])) as [Buffer];
    return answer[0] === TAKES_TLS;
  } finally {
    closed.catch(() => {}); // the driver receives the error
    clearTimeout(silence);
  }
}

/** @param code one of the driver's codes for an unavailable database */
function unanswered(code: string): Error {
  return Object.assign(new Error("the database does not say whether it takes TLS"), { code });
}

/**
 * Makes a connection end in the way the driver expects (porsager/postgres 1223 and 1215).
 *
 * The last error of a connection becomes an error of the socket. As a message, the driver would store it and fail a
 * statement of its next connection with it. It would also retry a rejected connection without a pause, indefinitely.
 *
 * An error is emitted together with the end of the socket. Between the two events, the driver would send new statements
 * into the closed connection and wait for their results forever.
 */
function endAsTheDriverExpects(socket: Socket): Socket {
  const messages = new MessageReader();
  const tell = socket.emit.bind(socket) as (event: string | symbol, ...args: unknown[]) => boolean;
  let fault: unknown;
  const pass = (bytes: Buffer) => {
    const { complete, last } = messages.read(bytes);
    const isHeard = complete.length > 0 && tell("data", complete);
    if (last) socket.destroy(last);
    return isHeard;
  };
  socket.emit = (event: string | symbol, ...args: unknown[]) => {
    if (event === "data") return pass(args[0] as Buffer);
    if (event === "error") {
      fault = args[0];
      noteConnectionError(fault);
      return true;
    }
    if (event === "close" && fault !== undefined) tell("error", fault);
    return tell(event, ...args);
  };
  return socket;
}

/** Finds the last error of a connection in the server's messages. */
export class MessageReader {
  /** Remaining bytes of the current message. */
  #toCome = 0;
  /** Start of an incomplete message: its header, or an error. */
  #begun: Buffer = Buffer.alloc(0);

  /** @returns bytes for the driver, and the error that ends the connection, after which nothing is read */
  read(bytes: Buffer): { complete: Buffer; last?: Error } {
    const all = this.#begun.length === 0 ? bytes : Buffer.concat([this.#begun, bytes]);
    let at = this.#toCome;
    while (at + HEADER_BYTES <= all.length) {
      const end = at + 1 + all.readUInt32BE(at + 1);
      if (all[at] === ERROR_RESPONSE) {
        if (end > all.length) break;
        const fields = fieldsOf(all.subarray(at + HEADER_BYTES, end));
        if (LAST.has(fields.severity ?? "")) return { complete: all.subarray(0, at), last: errorOf(fields) };
      }
      at = end;
    }
    const known = Math.min(at, all.length);
    this.#toCome = at - known;
    this.#begun = all.subarray(known);
    return { complete: all.subarray(0, known) };
  }
}

function fieldsOf(body: Buffer): Record<string, string> {
  const texts = body.toString("utf8").split("\0").filter(Boolean);
  return Object.fromEntries(texts.map((text) => [FIELDS[text[0]!] ?? text[0]!, text.slice(1)]));
}

/** Builds an error like the driver's; the driver's types expose only the class. */
function errorOf(fields: Record<string, string>): Error {
  const Make = postgres.PostgresError as unknown as new (fields: Record<string, string>) => Error;
  return new Make(fields);
}
