import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Code } from "@connectrpc/connect";
import { expect, onTestFinished, test } from "vitest";
import { requestJson } from "./http.ts";

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test("reads JSON", async () => {
  const url = await serve((_request, response) => response.end('{"count":1}'));
  expect(await requestJson(url)).toEqual({ count: 1 });
});

// kept: Console | A call that got no answer showed "Loading..." for ever | also
test("aborts a call that never gets a response", async () => {
  const url = await serve(() => undefined);
  await expect(requestJson(url, { limitMs: 50 })).rejects.toMatchObject({
    code: Code.DeadlineExceeded,
    message: "[deadline_exceeded] the operation timed out",
  });
});

test("aborts a response whose body never ends", async () => {
  const url = await serve((_request, response) => void response.write('{"count":'));
  await expect(requestJson(url, { limitMs: 50 })).rejects.toMatchObject({ code: Code.DeadlineExceeded });
});

test("distinguishes an aborted call from an unreachable server", async () => {
  const url = await serve(() => undefined);
  const givenUp = new AbortController();
  const call = requestJson(url, { signal: givenUp.signal });
  givenUp.abort();
  await expect(call).rejects.toMatchObject({ code: Code.Canceled });
  await expect(requestJson("http://127.0.0.1:1/")).rejects.toMatchObject({
    code: Code.Unavailable,
    rawMessage: "the server cannot be reached",
  });
});
