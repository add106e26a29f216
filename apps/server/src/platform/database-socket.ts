import { Socket } from "node:net";
import postgres from "postgres";

/** Of a message of the server: its type, and its length as 32 bits, which counts itself (PostgreSQL protocol 3.0, 54.7). */
const HEADER_BYTES = 5;
const ERROR_RESPONSE = "E".charCodeAt(0);
/** Fields of an ErrorResponse by their letters (54.8), as the driver names them. */
const FIELDS: Readonly<Record<string, string>> = {
  S: "severity_local",
  V: "severity",
  C: "code",
  M: "message",
  D: "detail",
  H: "hint",
  R: "routine",
};
/** Errors after which the server closes the connection. */
const LAST = new Set(["FATAL", "PANIC"]);

/**
 * A connection for the driver, without TLS, that ends as the driver understands it (porsager/postgres 1223 and 1215).
 *
 * The last error of a connection becomes an error of the socket. As a message it would be kept by the driver, which refuses
 * a statement of its next connection with it, and tries a connection that is refused again without a pause and without an
 * end.
 *
 * An error comes together with the end of the socket. Between the two the driver would send what is asked then into the
 * closed connection, and wait for its answer for ever.
 */
export class DatabaseSocket extends Socket {
  readonly #messages = new MessageReader();
  #error: unknown;

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    switch (event) {
      case "data":
        return this.#pass(args[0] as Buffer);
      case "error":
        this.#error = args[0];
        return true;
      case "close":
        if (this.#error !== undefined) super.emit("error", this.#error);
        return super.emit("close", ...args);
      default:
        return super.emit(event, ...args);
    }
  }

  #pass(bytes: Buffer): boolean {
    const { complete, last } = this.#messages.read(bytes);
    const isHeard = complete.length > 0 && super.emit("data", complete);
    if (last) this.destroy(last);
    return isHeard;
  }
}

/** Finds the last error of a connection in what its server says. */
export class MessageReader {
  /** Bytes of the message under way that are still to come. */
  #toCome = 0;
  /** The begin of a message of which too little has come: its header, or an error. */
  #begun: Buffer = Buffer.alloc(0);

  /** @returns what is for the driver, and the error that ends the connection, after which nothing is read */
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

/** As the driver makes them; its types know the class alone. */
function errorOf(fields: Record<string, string>): Error {
  const Make = postgres.PostgresError as unknown as new (fields: Record<string, string>) => Error;
  return new Make(fields);
}
