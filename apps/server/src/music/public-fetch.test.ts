import type { LookupAddress } from "node:dns";
import { expect, test } from "vitest";
import { askPublic, type PublicSite } from "./public-fetch.ts";

const PROXY = "http://127.0.0.1:9";
const notFound = Object.assign(new Error("getaddrinfo ENOTFOUND nowhere.example"), { code: "ENOTFOUND" });
const [wait, none, inside] = [new Error("no answer"), [] as LookupAddress[], [{ address: "10.0.0.1", family: 4 }]];

/** What resolvers answer. Node's own gives no list at all beside an error. */
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

// kept: Songs and jobs | One link whose host has no address ended the worker three times | failed on the old code
test.each(WAYS)("a name for which the resolver answers %s is an error of that link alone", async (...way) => {
  const [, error, addresses, why, proxy] = way;
  const lookUp: PublicSite["lookUp"] = (_host, answer) => void setImmediate(answer, error, addresses);
  await expect(ask("nowhere.example", { lookUp, proxy })).rejects.toThrow(why);
});

// kept: Songs and jobs | One link whose host has no address ended the worker three times | also
test.each([undefined, PROXY])(
  "a name that the system's resolver refuses is an error of that link alone",
  async (proxy) => {
    // A part of a name has at most 63 letters: no server is asked.
    await expect(ask(`${"a".repeat(64)}.example`, { proxy })).rejects.toThrow(/ENOTFOUND|EAI_/);
  },
);
