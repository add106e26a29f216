import { expect, test } from "vitest";
import { addressesOf, isDatabaseUrl, withLogin } from "./database-url.ts";
import { parseSettings } from "../settings.ts";

test("an address with several hosts becomes one address per host, with the same user, database and options", () => {
  expect(addressesOf("postgres://ada:se%40cret@one:5432,two:5433,[::1]:5434/followspot?sslmode=require")).toEqual([
    "postgres://ada:se%40cret@one:5432/followspot?sslmode=require",
    "postgres://ada:se%40cret@two:5433/followspot?sslmode=require",
    "postgres://ada:se%40cret@[::1]:5434/followspot?sslmode=require",
  ]);
  expect(addressesOf("postgresql://one/followspot")).toEqual(["postgresql://one/followspot"]);
});

test.each([
  ["postgres://ada:se%40cret@one:5432,two:5433,[::1]:5434/followspot?sslmode=require", "postgres://bo:a%2Fb%40c@one:5432,two:5433,[::1]:5434/followspot?sslmode=require"], // prettier-ignore
  ["postgresql://one/followspot", "postgresql://bo:a%2Fb%40c@one/followspot"],
  ["postgres://ada@one,two", "postgres://bo:a%2Fb%40c@one,two"],
])("replaces the login of %s, and keeps its hosts, name and options", (url, expected) => {
  expect(withLogin(url, "bo", "a/b@c")).toBe(expected);
  expect(addressesOf(expected)).toHaveLength(addressesOf(url).length);
});

test("refuses invalid addresses of databases and brokers at the start", () => {
  for (const text of ["", "one", "mysql://one/db", "postgres://one:port/db", "postgres://one,/db"])
    expect([text, isDatabaseUrl(text)]).toEqual([text, false]);
  expect(() => parseSettings({ DATABASE_URL: "postgres://one:5432,two:port/db" })).toThrow("DATABASE_URL");
  expect(() => parseSettings({ NATS_URL: "nats://one:4222,two:4222" })).toThrow("must be nats://…");
  expect(() => parseSettings({ FOLLOWSPOT_NATS_REPLICAS: "2" })).toThrow("must be 1, 3 or 5");
  expect(parseSettings({ NATS_URL: "nats://one:4222,nats://two:4222" })).toMatchObject({ FOLLOWSPOT_NATS_REPLICAS: 1 });
});
