import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { newId } from "../platform/database/ids.ts";
import { attendeeCode, attendeeKey, readAttendeeCode } from "./attendee-codes.ts";

const key = attendeeKey(randomBytes(32));
const attendee = { eventId: newId(), userId: newId() };
const code = attendeeCode(key, attendee);

test("encodes the event and the user in characters that QR packs most densely", () => {
  expect(readAttendeeCode(key, code)).toEqual(attendee);
  expect(code).toMatch(/^[0-9A-Z.]{90}$/);
});

test("reads a code with surrounding spaces or from a scanner with caps lock on", () => {
  for (const text of [code.toLowerCase(), ` ${code}\r\n`, `\t${code.toLowerCase()}`])
    expect(readAttendeeCode(key, text)).toEqual(attendee);
});

test("reports a truncated code as damaged and other text as no code", () => {
  for (let length = 4; length < code.length; length++)
    expect(readAttendeeCode(key, code.slice(0, length))).toBe("damaged");
  for (const text of ["", "FS1", "x", "https://example.org/FS1.", "FS2.A.B.C", "\0", "\ud800", "ﬀ1."])
    expect(readAttendeeCode(key, text)).toBe("no code");
  expect(readAttendeeCode(key, `${code}${code}`)).toBe("damaged");
});

test("rejects a code with any changed character as forged", () => {
  for (let at = 4; at < code.length; at++) {
    if (code[at] === ".") continue;
    const changed = `${code.slice(0, at)}${code[at] === "0" ? "1" : "0"}${code.slice(at + 1)}`;
    expect(readAttendeeCode(key, changed)).toBe("forged");
  }
});

test("rejects codes signed by another server, for another user or for another event", () => {
  expect(readAttendeeCode(attendeeKey(randomBytes(32)), code)).toBe("forged");
  const other = attendeeCode(key, { ...attendee, userId: newId() });
  expect(readAttendeeCode(key, `${code.slice(0, -32)}${other.slice(-32)}`)).toBe("forged");
});
