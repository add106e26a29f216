// @vitest-environment jsdom
import { Code, ConnectError } from "@connectrpc/connect";
import { MusicService } from "@followspot/contract/music";
import { beforeEach, expect, test, vi } from "vitest";
import { eventually, press, show } from "../testing/show.tsx";

beforeEach(() => {
  vi.resetModules();
  sessionStorage.clear();
});

const video = (n: number) => ({ ytid: `v${n}`, url: `https://www.youtube.com/watch?v=v${n}`, title: `Song ${n}` });
const videos = (count: number) => Array.from({ length: count }, (_, i) => video(i + 1));

/** Loads the module and its toasts as a freshly loaded page would. */
async function freshPage() {
  const job = await import("./add-videos.ts");
  const { Toasts } = await import("../ui/toast.tsx");
  return { ...job, Toasts };
}

/** A server whose answers the test releases. */
function slowServer() {
  const asked: string[] = [];
  const open: ((failed?: ConnectError) => void)[] = [];
  const add = (url: string) => {
    asked.push(url);
    return new Promise<void>((resolve, reject) => open.push((failed) => (failed ? reject(failed) : resolve())));
  };
  const answer = async (failed?: ConnectError) => {
    await expect.poll(() => open.length).toBeGreaterThan(0);
    open.shift()!(failed);
  };
  return { asked, add, answer };
}
const refused = (why: string, code = Code.ResourceExhausted) => new ConnectError(why, code);
const text = () => document.body.textContent ?? "";
const sees = (claim: string) => eventually(() => expect(text()).toContain(claim));

test("continues when the dialog is closed, and shows progress and result", async () => {
  const { addVideos, watchAdding, Toasts } = await freshPage();
  const server = slowServer();
  await show(<Toasts />);
  const close = watchAdding();
  void addVideos(server.add, videos(3));
  await server.answer();
  expect(text()).not.toContain("Adding songs");
  close();
  await sees("Adding songs: 1 of 3");
  await server.answer();
  await sees("Adding songs: 2 of 3");
  await server.answer();
  await sees("Added 3 songs");
  await eventually(() => expect(text()).not.toContain("Adding songs"));
  expect(server.asked).toEqual(videos(3).map(({ url }) => url));
});

test("stops after the current song, and lists the remaining ones", async () => {
  const { addVideos, adding, leftVideos, Toasts } = await freshPage();
  const server = slowServer();
  await show(<Toasts />);
  const left = addVideos(server.add, videos(3));
  await server.answer();
  await sees("Adding songs: 1 of 3");
  await press("Stop");
  await sees("Stopping after the song at work...");
  await server.answer();
  await sees("Added 2 of 3 songs. Music says which ones are left, and why.");
  expect([server.asked.length, adding.get()]).toEqual([2, undefined]);
  expect(await left).toEqual([video(3)]);
  expect(leftVideos.get()).toEqual([{ ...video(3), why: "It was stopped before its turn." }]);
});

test("stores the reason of each refused video, and adds the others", async () => {
  const { addVideos, leftVideos } = await freshPage();
  const server = slowServer();
  const told = vi.fn();
  const left = addVideos(server.add, videos(3), told);
  await server.answer();
  await server.answer(refused("The video is private"));
  await server.answer();
  expect(await left).toEqual([video(2)]);
  expect(leftVideos.get()).toEqual([{ ...video(2), why: "The video is private" }]);
  expect(told.mock.calls.map(([{ ytid }, failed]) => [ytid, failed])).toEqual([
    ["v1", undefined],
    ["v2", "The video is private"],
    ["v3", undefined],
  ]);
});

test("sends no more requests for a user who was signed out", async () => {
  const { addVideos, leftVideos } = await freshPage();
  const server = slowServer();
  const left = addVideos(server.add, videos(3));
  await server.answer(refused("Sign in first", Code.Unauthenticated));
  expect(await left).toHaveLength(3);
  expect(server.asked).toHaveLength(1);
  expect(leftVideos.get().map(({ ytid }) => ytid)).toEqual(["v1", "v2", "v3"]);
});

test("queues a second list behind the first, one video at a time", async () => {
  const { addVideos, adding } = await freshPage();
  const server = slowServer();
  const [first, second] = [addVideos(server.add, videos(2)), addVideos(server.add, [video(8), video(9)])];
  expect(adding.get()).toMatchObject({ done: 0, of: 4 });
  expect(server.asked).toHaveLength(1);
  for (let n = 0; n < 4; n++) await server.answer();
  expect([await first, await second, adding.get()]).toEqual([[], [], undefined]);
  expect(server.asked.map((url) => url.slice(-2))).toEqual(["v1", "v2", "v8", "v9"]);
});

test("asks before the page is closed while it adds, and lists the remaining videos afterwards", async () => {
  const before = await freshPage();
  const server = slowServer();
  const leave = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  expect(leave()).toBe(false);
  void before.addVideos(server.add, videos(3));
  await server.answer();
  await expect.poll(() => before.adding.get()?.done).toBe(1);
  expect(leave()).toBe(true);
  vi.resetModules();
  const { leftVideos } = await freshPage();
  expect(leftVideos.get()).toEqual(
    [video(2), video(3)].map((each) => ({ ...each, why: "The page was left before it was added." })),
  );
  for (let n = 0; n < 2; n++) await server.answer();
  await expect.poll(leave).toBe(false);
});

test("offers to add the remaining videos again, and discards them on request", async () => {
  const { leftVideos } = await freshPage();
  const { LeftVideos } = await import("./left-videos.tsx");
  // The modules of the fresh page must use the same user.
  const { show: showFresh } = await import("../testing/show.tsx");
  const asked: string[] = [];
  leftVideos.set([1, 2].map((n) => ({ ...video(n), why: "The disk is full" })));
  const place = await showFresh(<LeftVideos />, {
    routes: (router) =>
      router.service(MusicService, {
        addSongFromYoutube: ({ url }) => {
          asked.push(url);
          if (url.endsWith("2")) throw refused("The disk is full");
          return {};
        },
      }),
  });
  expect(place.textContent).toContain("2 videos were not added.");
  expect(place.textContent).toContain("Song 1The disk is full");
  await press("Add them");
  await eventually(() => expect(place.textContent).toContain("1 video was not added."));
  expect(asked).toEqual([video(1).url, video(2).url]);
  await press("Forget them");
  expect(place.textContent).toBe("");
  expect(sessionStorage).toHaveLength(0);
});

test("ignores invalid data in the browser's storage", async () => {
  sessionStorage.setItem("followspot.videos", JSON.stringify(["no json", "{}", "null", JSON.stringify({ ytid: 1 })]));
  expect((await freshPage()).leftVideos.get()).toEqual([]);
});
