import { MusicService } from "@followspot/contract/music";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test } from "vitest";
import { refreshSoon } from "./list-refresh.ts";
import { methodKey } from "./list-source.ts";

const { listSongs } = MusicService.method;
let cache: QueryClient;
const open: (() => void)[] = [];
beforeEach(() => {
  cache = new QueryClient({ defaultOptions: { queries: { retry: false } } });
});
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** A displayed list whose answers the test releases; requests are recorded in order. */
function listOnScreen() {
  const asked: PromiseWithResolvers<string>[] = [];
  const answered = () => {
    const next = Promise.withResolvers<string>();
    asked.push(next);
    return next.promise;
  };
  const observer = new QueryObserver<string>(cache, { queryKey: [...methodKey(listSongs), "page"], queryFn: answered });
  open.push(observer.subscribe(() => undefined));
  return { asked, shown: () => observer.getCurrentResult().data };
}

// kept: Live | A list that was read for the first time while something changed stayed old | failed with the fault put
// back
test("a list that changes during its first read is read once more", async () => {
  const { asked, shown } = listOnScreen();
  refreshSoon(cache, listSongs);
  asked[0]!.resolve("from before the change");
  await expect.poll(() => asked.length).toBe(2);
  asked[1]!.resolve("with the change");
  await expect.poll(shown).toBe("with the change");
});

test("an older answer in transit never replaces a newer one", async () => {
  const { asked, shown } = listOnScreen();
  asked[0]!.resolve("first");
  await expect.poll(shown).toBe("first");
  void cache.refetchQueries({ queryKey: methodKey(listSongs) });
  refreshSoon(cache, listSongs);
  await expect.poll(() => asked.length).toBe(3);
  asked[2]!.resolve("with the change");
  await expect.poll(shown).toBe("with the change");
  asked[1]!.resolve("from before the change");
  await new Promise((turn) => setTimeout(turn));
  expect(shown()).toBe("with the change");
});

test("a failed first read is reported and not repeated", async () => {
  const { asked } = listOnScreen();
  refreshSoon(cache, listSongs);
  asked[0]!.reject(new Error("away"));
  await expect.poll(() => cache.getQueryState([...methodKey(listSongs), "page"])?.status).toBe("error");
  expect(asked).toHaveLength(1);
});
