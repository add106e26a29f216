// @vitest-environment jsdom
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
  type RouterHistory,
} from "@tanstack/react-router";
import { act } from "react";
import { expect, test, vi } from "vitest";
import { button, eventually, field, press, show, type } from "../testing/show.tsx";
import { Toasts } from "../ui/toast.tsx";
import { DocsPage } from "./docs-page.tsx";
import { docsSearch } from "./docs-search.ts";

let history: RouterHistory;
async function docs(address: string, roles: readonly string[] = ["Admin"]): Promise<HTMLElement> {
  vi.stubGlobal("scrollTo", () => undefined);
  const root = createRootRoute();
  const shell = createRoute({ getParentRoute: () => root, id: "shell" });
  const page = createRoute({
    getParentRoute: () => shell,
    path: "/docs",
    component: DocsPage,
    validateSearch: docsSearch,
  });
  history = createMemoryHistory({ initialEntries: [address] });
  const router = createRouter({ routeTree: root.addChildren([shell.addChildren([page])]), history });
  await router.load();
  // The test's own router is not the console's registered one.
  const place = await show(
    <>
      <RouterProvider router={router as never} />
      <Toasts />
    </>,
    { roles },
  );
  await eventually(() => expect(place.querySelector("h1")?.textContent).toBe("Docs"));
  return place;
}

// kept: Console | An address of a method did not open its card, and nothing spoke of the bearer token | also
test("states that the API uses a bearer token", async () => {
  expect((await docs("/docs")).textContent).toContain("The API uses a bearer token");
});

test("has its tabs, its categories, a search and a list of links to services and methods", async () => {
  const place = await docs("/docs");
  for (const name of [
    "ConnectRPC API",
    "WebSocket",
    "All",
    "Core",
    "Content",
    "Social",
    "Commerce",
    "System",
    "Realtime",
  ])
    expect(button(name)).toBeDefined();
  expect(field("Search")).toBeDefined();
  const to = (href: string) => place.querySelector(`nav a[href="#followspot.music.v1.${href}"]`)?.textContent;
  expect([to("MusicService"), to("MusicService.RetrySong")]).toEqual(["MusicService", "RetrySong"]);
  await press("Social");
  await eventually(() => expect(to("MusicService")).toBeUndefined());
});

test("shows the methods that match, with path, messages and access", async () => {
  const place = await docs("/docs?q=RetrySong");
  const card = place.querySelector("details")?.textContent;
  for (const part of [
    "POST",
    "/followspot.music.v1.MusicService/RetrySong",
    "RetrySongRequest",
    "RetrySongResponse",
    "Access: Admin",
  ]) {
    expect(card).toContain(part);
  }
});

test("a card says with which codes its method refuses, when, and what to do then", async () => {
  const place = await docs("/docs?q=RestoreUserRequest");
  const errors = [...place.querySelectorAll("details details")].find(({ textContent }) =>
    textContent?.startsWith("Errors"),
  )?.textContent;
  expect(errors).toContain("failed_precondition 400The person is not deleted. Change what the message names first");
  expect(errors).toContain("permission_denied 403");
});

test("says so when nothing matches", async () => {
  expect((await docs("/docs?q=zzz")).textContent).toContain("No services found matching your search.");
});

// kept: Console | An address of a method did not open its card, and nothing spoke of the bearer token | failed with the
// fault put back
test("opens the card its address names", async () => {
  const scrolled: string[] = [];
  Element.prototype.scrollIntoView = function (this: Element) {
    scrolled.push(this.id);
  };
  window.location.hash = "#followspot.music.v1.MusicService.RetrySong";
  const place = await docs("/docs?q=RetrySong");
  expect(place.querySelector("details")?.open).toBe(true);
  expect(scrolled).toContain("followspot.music.v1.MusicService.RetrySong");
  Reflect.deleteProperty(Element.prototype, "scrollIntoView");
  window.location.hash = "";
});

test("a card that is opened puts its method into the address", async () => {
  const place = await docs("/docs?q=RetrySong");
  place.querySelector("details")!.open = true;
  await eventually(() => expect(history.location.href).toBe("/docs?q=RetrySong#followspot.music.v1.MusicService.RetrySong")); // prettier-ignore
});

// kept: Console | Copying did nothing where the browser has no clipboard | failed with the fault put back
test("says why it cannot copy where the browser gives pages no clipboard", async () => {
  await docs("/docs?q=RetrySong");
  await press("Copy as curl");
  await eventually(() => expect(document.body.textContent).toContain("over https or on localhost only"));
});

/** Opens the only card of the page, and answers what it sends. */
async function tryIt(name: string, roles?: readonly string[]) {
  const place = await docs(`/docs?q=${name}`, roles);
  const sent: { path: string; body: unknown }[] = [];
  vi.stubGlobal("fetch", async (path: string, { body }: { body: string }) => {
    sent.push({ path, body: JSON.parse(body) });
    return Response.json({ code: "not_found", message: "This song is not here" }, { status: 404 });
  });
  place.querySelector("details")!.open = true;
  return { place, sent };
}

test("a reading is sent as it stands, and its answer shown with status, code, time and size", async () => {
  const { place, sent } = await tryIt("GetSongLightingRequest");
  await eventually(() => expect(field("Body (JSON)").value).toContain('"songId": "01'));
  await type(field("Body (JSON)"), '{"song_id": "s1"}');
  await press("Send");
  await eventually(() => expect(place.textContent).toMatch(/404 not_found\d+ ms · 54 bytes/));
  expect(place.querySelector("pre")?.textContent).toContain("This song is not here");
  expect(sent).toEqual([{ path: "/followspot.music.v1.MusicService/GetSongLighting", body: { song_id: "s1" } }]);
});

test("a call that may change something is asked for once before it is sent", async () => {
  const { sent } = await tryIt("RetrySong");
  await eventually(() => expect(button("Send")).toBeTruthy());
  await press("Send");
  expect(sent).toEqual([]);
  await press("Send RetrySong");
  await eventually(() => expect(sent.length).toBe(1));
});

test("what is no JSON is not sent, and says where it ends to be", async () => {
  const { place, sent } = await tryIt("GetSongLightingRequest");
  await eventually(() => expect(button("Send")).toBeTruthy());
  await type(field("Body (JSON)"), '{"song_id": ');
  await press("Send");
  await eventually(() => expect(place.textContent).toContain("This is not JSON, so nothing was sent."));
  expect(sent).toEqual([]);
});

test("the form and the JSON are one body: what is typed in one stands in the other", async () => {
  const { place, sent } = await tryIt("ListEventsRequest");
  await eventually(() => expect(button("Send")).toBeTruthy());
  await type(field("pageSize"), "20");
  expect(JSON.parse(field("Body (JSON)").value)).toMatchObject({ pageSize: 20, list: { query: "" } });
  await type(field("Body (JSON)"), '{"page_size": 30}');
  expect(field("pageSize").value).toBe("30");
  await press("Add list");
  await type(field("filter"), "live");
  await press("Send");
  await eventually(() => expect(sent.length).toBe(1));
  expect(sent[0]?.body).toMatchObject({ page_size: 30, list: { filter: "live" } });
  await press("Leave out list");
  expect(JSON.parse(field("Body (JSON)").value)).toEqual({ page_size: 30 });
  await type(field("Body (JSON)"), "{");
  expect(place.textContent).toContain("The form is here again once the body is a JSON object.");
});

test("an invalid body says why, and can be sent all the same", async () => {
  const { place, sent } = await tryIt("GetSongLightingRequest");
  await eventually(() => expect(button("Send")).toBeTruthy());
  await type(field("Body (JSON)"), '{"song": "s1"}');
  expect(place.textContent).toMatch(/This is no GetSongLightingRequest: .*song.* You can send it all the same\./);
  await press("Send");
  await eventually(() => expect(sent.map(({ body }) => body)).toEqual([{ song: "s1" }]));
});

test("who may not call it is told for whom it is", async () => {
  const { place } = await tryIt("RetrySong", ["Director"]);
  await eventually(() => expect(place.textContent).toContain("You cannot send this call: it is for Admin."));
});

test("a field opens to what its message holds, and an enum to its values", async () => {
  const place = await docs("/docs?q=ListEvents");
  place.querySelector("details")!.open = true;
  await act(async () => place.querySelector<HTMLElement>("[aria-expanded]")!.click());
  expect(place.textContent).toContain("orderBystring");
  expect(place.textContent).toContain("Text to look for, taken as it is; each list says where it looks.");
});

test("documents all sockets", async () => {
  const text = (await docs("/docs?tab=websocket")).textContent;
  for (const part of [
    "/ws/events",
    "ClientHello",
    "heartbeat_sec",
    "4401",
    "/lights/playback/{id}",
    "prepare_playback",
    "/lights/desk",
    "taken",
  ])
    expect(text).toContain(part);
});

test("hands on an address of a method with the body that was typed for it", async () => {
  const written: string[] = [];
  const clipboard = { writeText: async (words: string) => void written.push(words) };
  Object.defineProperty(navigator, "clipboard", { value: clipboard, configurable: true });
  const { place } = await tryIt("GetTalk");
  await eventually(() => expect(place.querySelector("textarea")).not.toBeNull());
  await type(field("Body (JSON)"), '{"talk_id": "t7"}');
  await press("Copy link with this body");
  await eventually(() => expect(written).toHaveLength(1));
  Reflect.deleteProperty(navigator, "clipboard");
  const { searchParams, hash } = new URL(written[0]!);
  expect([searchParams.get("body"), hash]).toEqual(['{"talk_id": "t7"}', "#followspot.talk.v1.TalkService.GetTalk"]);
});

// kept: Console | An address of a method lost the body that was typed for it | failed with the fault put back
test("opens a method with the body that its address brings, and no other method", async () => {
  window.location.hash = "#followspot.talk.v1.TalkService.GetTalk";
  const place = await docs(`/docs?q=GetTalk&body=${encodeURIComponent('{"talk_id":"t7"}')}${window.location.hash}`);
  await eventually(() => expect(place.querySelectorAll("textarea")).toHaveLength(1));
  expect(JSON.parse(field("Body (JSON)").value)).toEqual({ talk_id: "t7" });
  window.location.hash = "";
});

test("shows an example of a request and of its answer", async () => {
  const place = await docs("/docs?q=GetTalk");
  const examples = [...place.querySelectorAll<HTMLDetailsElement>("details details")].filter(({ textContent }) =>
    textContent?.startsWith("Example of GetTalk"),
  );
  expect(examples).toHaveLength(2);
  for (const example of examples)
    await act(async () => {
      example.open = true;
      example.dispatchEvent(new Event("toggle"));
    });
  expect(examples[1]!.textContent).toContain('"title": "Friday night"');
});

// kept: Console | Docs began a body with empty texts, and named fields otherwise than the JSON that comes | also
test("names fields as they come, and puts an example into the body by a press", async () => {
  const { place } = await tryIt("GetTalkRequest");
  await eventually(() => expect(button("Send")).toBeTruthy());
  expect(place.textContent).toContain("talkIdstring");
  expect(place.textContent).not.toContain("talk_id");
  await type(field("Body (JSON)"), "{}");
  const example = [...place.querySelectorAll<HTMLDetailsElement>("details details")][0]!;
  await act(async () => {
    example.open = true;
    example.dispatchEvent(new Event("toggle"));
  });
  await press("Use this example");
  expect(JSON.parse(field("Body (JSON)").value)).toEqual({ talkId: expect.stringMatching(/^01/) });
});
