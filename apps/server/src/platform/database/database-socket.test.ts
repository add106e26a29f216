import { expect, test } from "vitest";
import { MessageReader } from "./database-socket.ts";

/** Encodes a message of the server: type, length including itself, body. */
function message(type: string, body: string): Buffer {
  const bytes = Buffer.alloc(5 + Buffer.byteLength(body));
  bytes.write(type, 0);
  bytes.writeUInt32BE(bytes.length - 1, 1);
  bytes.write(body, 5);
  return bytes;
}
const error = (severity: string, code: string) =>
  message("E", `S${severity}\0V${severity}\0C${code}\0Mit is over\0RProcessInterrupts\0\0`);

const ROWS = Buffer.concat([
  message("D", "a row with E and FATAL in it"),
  message("C", "SELECT 1\0"),
  message("Z", "I"),
]);
const REFUSED = error("ERROR", "42P01");
const ENDED = error("FATAL", "57P01");
const SAID = Buffer.concat([ROWS, REFUSED, ROWS, ENDED]);

test("detects the fatal error of a connection wherever the stream is split, and passes everything before it to the driver", () => {
  for (let cut = 0; cut <= SAID.length; cut++) {
    const reader = new MessageReader();
    const read = [reader.read(SAID.subarray(0, cut)), reader.read(SAID.subarray(cut))];
    const parts = cut === SAID.length ? read.slice(0, 1) : read;
    expect(Buffer.concat(parts.map(({ complete }) => complete))).toEqual(Buffer.concat([ROWS, REFUSED, ROWS]));
    expect(parts.at(-1)!.last).toMatchObject({ name: "PostgresError", code: "57P01", message: "it is over" });
  }
});

test("passes on messages that arrive byte by byte", () => {
  const reader = new MessageReader();
  const said = Buffer.concat([ROWS, REFUSED, ROWS]);
  const complete = [...said].map((byte) => reader.read(Buffer.from([byte])));
  expect(Buffer.concat(complete.map((read) => read.complete))).toEqual(said);
  expect(complete.filter(({ last }) => last)).toEqual([]);
});
