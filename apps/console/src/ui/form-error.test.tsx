// @vitest-environment jsdom
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { show } from "../testing/show.tsx";
import { FormError } from "./form-error.tsx";

// kept: Console | A refusal without words was told as its bare code | failed with the fault put back
test.each([
  [new ConnectError("Name is required", Code.InvalidArgument), "Error: [invalid_argument] Name is required"],
  [new ConnectError("", Code.Internal), "An error occurred"],
  ["an unknown value", "An error occurred"],
])("a refusal without a message is not shown as a bare code: %s", async (error, words) => {
  expect((await show(<FormError error={error} />)).textContent).toBe(words);
});
