import type { LookupAddress } from "node:dns";
import { expect, test } from "vitest";
import { askPublic, type PublicSite } from "./public-fetch.ts";

const PROXY = "http://127.0.0.1:9";
const notFound = Object.assign(new Error("getaddrinfo ENOTFOUND nowhere.example"), { code: "ENOTFOUND" });
const [wait, none, inside] = [new Error("no answer"), [] as LookupAddress[], [{ address: "10.0.0.1", family: 4 }]];

/** Answers of resolvers. Node's own resolver passes no list with an error. */
const ANSWERS: readonly [string, Error | null, LookupAddress[] | undefined, string][] = [
  ["an error without a list", notFound, undefined, "ENOTFOUND"],
  ["an error and an empty list", notFound, none, "ENOTFOUND"],
  ["an error and addresses", wait, inside, "no answer"],
  ["no list", null, undefined, "its host has no address"],
  ["an empty list", null, none, "its host has no address"],
  ["an inner address", null, inside, "which is not public"],
];
const WAYS = ANSWERS.flatMap((answer) => [[...answer, undefined] as const, [...answer, PROXY] as const]);

const ask = (host: string, site: Omit<PublicSite, "testSite">) =>
  askPublic(new URL(`https://${host}/song.mp3`), { testSite: undefined, ...site }, new AbortController().signal);

// kept: Songs and jobs | A link whose host has no address crashed the worker three times | failed on the old code
test.each(WAYS)("fails one link, not the worker, if the resolver answers with %s", async (...way) => {
  const [, error, addresses, why, proxy] = way;
  const lookUp: PublicSite["lookUp"] = (_host, answer) => void setImmediate(answer, error, addresses);
  await expect(ask("nowhere.example", { lookUp, proxy })).rejects.toThrow(why);
});

// kept: Songs and jobs | A link whose host has no address crashed the worker three times | also
test.each([undefined, PROXY])(
  "fails one link, not the worker, if the system's resolver rejects the name",
  async (proxy) => {
    // A label of more than 63 letters is rejected without a query.
    await expect(ask(`${"a".repeat(64)}.example`, { proxy })).rejects.toThrow(/ENOTFOUND|EAI_/);
  },
);
