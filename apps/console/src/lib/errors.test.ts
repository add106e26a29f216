import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { errorSentence, errorText, isFinal, isUnauthenticated, plainErrorText, refusedField } from "./errors.ts";
import { codeOfStatus, refusal } from "./http.ts";

test("shows the code in brackets, then the message", () => {
  const refused = new ConnectError("You may not do this", Code.PermissionDenied);
  expect(errorText(refused)).toBe("[permission_denied] You may not do this");
  expect(plainErrorText(refused)).toBe("You may not do this");
  expect(errorText(undefined)).toBe("Unknown error");
});

test("names each code of the protocol", () => {
  const codes = Object.values(Code).filter((code) => typeof code === "number");
  expect(codes.map((code) => errorText(new ConnectError("no", code)).slice(1, -4))).toEqual([
    ...["canceled", "unknown", "invalid_argument", "deadline_exceeded", "not_found", "already_exists"],
    ...["permission_denied", "resource_exhausted", "failed_precondition", "aborted", "out_of_range", "unimplemented"],
    ...["internal", "unavailable", "data_loss", "unauthenticated"],
  ]);
});

test("formats a failure as a sentence", () => {
  expect(errorSentence(new ConnectError("the server cannot be reached"))).toBe("The server cannot be reached.");
  expect(errorSentence(new ConnectError("Try again later."))).toBe("Try again later.");
});

test("extracts the refused field from a message, if the message names one", () => {
  const refused = new ConnectError("toUserId: Bea is deleted. Restore: then go on", Code.FailedPrecondition);
  expect(refusedField(refused)).toEqual({ field: "toUserId", why: "Bea is deleted. Restore: then go on" });
  for (const message of ["the server cannot be reached", "Bea: is deleted", "a b: c", ""])
    expect(refusedField(new ConnectError(message, Code.Unavailable))).toBeUndefined();
});

test("recognizes an expired session", () => {
  expect(isUnauthenticated(new ConnectError("Sign in first", Code.Unauthenticated))).toBe(true);
  expect(isUnauthenticated(new ConnectError("Not yours", Code.PermissionDenied))).toBe(false);
});

test("recognizes failures that a retry cannot fix, also as the cause of a displayed error", () => {
  const missing = new ConnectError("File hybrid.json not found", Code.NotFound);
  expect(isFinal(missing)).toBe(true);
  expect(isFinal(new Error("Failed to load analysis data", { cause: missing }))).toBe(true);
  expect(isFinal(new ConnectError("Not yours", Code.PermissionDenied))).toBe(true);
  const away = new ConnectError("the server cannot be reached", Code.Unavailable);
  expect(isFinal(new Error("Failed to load analysis data", { cause: away }))).toBe(false);
});

test("maps an HTTP status to an RPC code", () => {
  expect([400, 401, 403, 404, 429, 502, 503, 504, 500].map(codeOfStatus)).toEqual([
    Code.Internal,
    Code.Unauthenticated,
    Code.PermissionDenied,
    Code.Unimplemented,
    Code.Unavailable,
    Code.Unavailable,
    Code.Unavailable,
    Code.Unavailable,
    Code.Unknown,
  ]);
});

test("prefers the code in the body to the HTTP status", () => {
  expect(refusal(400, `{"code":"invalid_argument","message":"The file is empty."}`)).toMatchObject({
    code: Code.InvalidArgument,
    message: "[invalid_argument] The file is empty.",
  });
  expect(refusal(503, "<html>")).toMatchObject({ code: Code.Unavailable, rawMessage: "HTTP 503" });
});
