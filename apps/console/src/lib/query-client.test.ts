// @vitest-environment jsdom
import { MutationObserver, onlineManager } from "@tanstack/react-query";
import { afterEach, expect, test } from "vitest";
import { AT_THE_DOOR, queryClient, sessionExpired } from "./query-client.ts";
import { unauthenticated } from "./errors.ts";

afterEach(() => {
  onlineManager.setOnline(true);
  sessionExpired.set(false);
  queryClient.clear();
});

const refuse = () => Promise.reject(unauthenticated());

test("reports a missing network instead of waiting for one", async () => {
  onlineManager.setOnline(false);
  const asked = queryClient.fetchQuery({ queryKey: ["lights"], queryFn: refuse });
  await expect(asked).rejects.toThrow("Sign in first");
  const saved = new MutationObserver(queryClient, { mutationFn: refuse }).mutate();
  await expect(saved).rejects.toThrow("Sign in first");
});

test("detects an expired session, but not from a refused sign-in", async () => {
  await new MutationObserver(queryClient, { mutationFn: refuse, meta: AT_THE_DOOR }).mutate().catch(() => undefined);
  expect(sessionExpired.get()).toBe(false);
  await new MutationObserver(queryClient, { mutationFn: refuse }).mutate().catch(() => undefined);
  expect(sessionExpired.get()).toBe(true);
});

test("an answer stays fresh for five minutes, a failed query is retried once, and window focus causes no refetch", () => {
  const { queries = {} } = queryClient.getDefaultOptions();
  expect(queries).toMatchObject({ staleTime: 300_000, refetchOnWindowFocus: false });
  const retry = queries.retry as (failures: number, error: Error) => boolean;
  expect([retry(0, new Error("away")), retry(1, new Error("away")), retry(0, unauthenticated())]).toEqual([
    true,
    false,
    false,
  ]);
});
