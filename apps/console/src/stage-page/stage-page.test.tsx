// @vitest-environment jsdom
import type { StagePageMessage, StagePicture } from "@followspot/contract";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { eventually, show } from "../testing/show.tsx";
import { addressOf } from "./stage-address.ts";
import { StagePage } from "./stage-page.tsx";

const EMPTY: StagePicture = {
  title: "Night",
  revision: 1,
  shown: { view: "home" },
  status: "",
  timer: null,
  song: null,
  lamps: false,
};
let asked: { url: string; key: string | null }[];

beforeEach(() => (asked = []));

/** Opens a page at this path, and returns the server's end of its stream. */
async function open(path: string, status = 200) {
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    asked.push({ url, key: new Headers(init.headers).get("x-stage-key") });
    return new Response(new ReadableStream({ start: (controller) => void (stream = controller) }), { status });
  });
  window.history.replaceState(null, "", path);
  onTestFinished(() => window.history.replaceState(null, "", "/"));
  await show(<StagePage />);
  const say = (message: StagePageMessage) =>
    stream?.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(message)}\n\n`));
  return {
    say,
    paint: (fields: Partial<StagePicture>) =>
      say({ type: "picture", server_time: 1_790_000_000_000, picture: { ...EMPTY, ...fields } }),
    cut: () => stream?.close(),
  };
}
const page = () => document.body.textContent ?? "";

test("parses the screen and the key from the URL", () => {
  expect(addressOf({ pathname: "/stage/01EVENT", hash: "#0123456789abc" })).toEqual({
    id: "01EVENT",
    key: "0123456789abc",
  });
  for (const [pathname, hash] of [
    ["/stage/01EVENT", ""],
    ["/stage/", "#0123456789abc"],
    ["/stage/a/b", "#0123456789abc"],
    ["/stage/..", "#0123456789abc"],
  ] as const) {
    expect(addressOf({ pathname, hash })).toBeUndefined();
  }
});

test("shows each view as text", async () => {
  const { paint } = await open("/stage/E1#0123456789abc");
  paint({ status: "Doors at eight", song: { title: "First Light", artist: "Test Artist" } });
  await eventually(() => expect(page()).toContain("Night"));
  expect(page()).toContain("Doors at eight");
  expect(page()).toContain("First Light · Test Artist");
  paint({ shown: { view: "talk", title: "Light", speaker: "Mira", image: "" } });
  await eventually(() => expect(page()).toMatch(/Light.*Mira/));
  paint({ shown: { view: "announcement", text: "<b>Fire</b>" } });
  await eventually(() => expect(page()).toContain("<b>Fire</b>"));
  paint({
    shown: {
      view: "leaderboard",
      players: [
        { name: "Ada", points: 1200 },
        { name: "Ada", points: 7 },
      ],
    },
  });
  await eventually(() => expect(page()).toMatch(/1Ada1,200.*2Ada7/));
  paint({ shown: { view: "leaderboard", players: [] } });
  await eventually(() => expect(page()).toContain("No points yet"));
  paint({ shown: { view: "player", name: "Bea", points: 1 } });
  await eventually(() => expect(page()).toMatch(/Bea.*1 point/));
  expect(asked).toEqual([{ url: "/api/stage/E1/events", key: "0123456789abc" }]);
});

test("counts down by the server's clock, even if its own is wrong, and reports the end", async () => {
  const { say } = await open("/stage/E1#0123456789abc");
  const at = Date.UTC(2031, 0, 1); // this machine is years behind
  say({ type: "picture", server_time: at, picture: { ...EMPTY, timer: { ends_at: at + 90_000, seconds: 90 } } });
  await eventually(() => expect(page()).toMatch(/1:30|1:29/));
  say({ type: "picture", server_time: at, picture: { ...EMPTY, timer: { ends_at: at - 1, seconds: 90 } } });
  await eventually(() => expect(page()).toContain("Time is up"));
});

test("keeps the last picture after a disconnect, and shows that it is behind", async () => {
  const { paint, cut } = await open("/stage/E1#0123456789abc");
  paint({ shown: { view: "announcement", text: "Bar is open" } });
  await eventually(() => expect(page()).toContain("Bar is open"));
  cut();
  await eventually(() => expect(page()).toContain("Reconnecting"));
  expect(page()).toContain("Bar is open");
});

test("reports a withdrawn link, and shows nothing else", async () => {
  const { paint, say } = await open("/stage/E1#0123456789abc");
  paint({ shown: { view: "announcement", text: "Bar is open" } });
  await eventually(() => expect(page()).toContain("Bar is open"));
  say({ type: "withdrawn" });
  await eventually(() => expect(page()).toContain("This link shows nothing any more."));
  expect(page()).not.toContain("Bar is open");
});

test("reports a link that never existed or has no key", async () => {
  await open("/stage/E1#0123456789abc", 401);
  await eventually(() => expect(page()).toContain("This link shows nothing any more."));
  await open("/stage/E1");
  await eventually(() => expect(page()).toContain("This address is not whole."));
  expect(asked).toHaveLength(1);
});
