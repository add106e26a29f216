// @vitest-environment jsdom
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { EventService } from "@followspot/contract/event";
import { TalkSchema, TalkService, type Talk } from "@followspot/contract/talk";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { act } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { giveSizes } from "../testing/list-place.tsx";
import { button, eventually, press, show, Surroundings } from "../testing/show.tsx";
import { TalksPage } from "./talks-page.tsx";
import { Toasts } from "../ui/toast.tsx";

let talks: Talk[];
let restored: string[];

beforeEach(() => {
  giveSizes();
  restored = [];
  talks = [create(TalkSchema, { id: "t1", eventId: "e1", title: "" }), create(TalkSchema, { id: "t2", title: "Fog" })];
});
afterEach(() => vi.restoreAllMocks());

function routes(router: ConnectRouter): void {
  router.service(EventService, {
    getEvent: ({ eventId }) => {
      if (eventId !== "e1") throw new ConnectError("There is no such event", Code.NotFound);
      return { event: { id: "e1", title: "Friday" } };
    },
  });
  router.service(TalkService, {
    listTalks: () => ({ talks }),
    countTalks: () => ({ counts: [] }),
    deleteTalk: ({ talkId }) => {
      talks = talks.filter(({ id }) => id !== talkId);
      return { success: true };
    },
    restoreTalk: ({ talkId }) => {
      restored.push(talkId);
      return {};
    },
  });
}

function open(eventId: string) {
  const root = createRootRoute();
  const shell = createRoute({ getParentRoute: () => root, id: "shell" });
  const page = createRoute({ getParentRoute: () => shell, path: "/events/$eventId/talks", component: TalksPage });
  const router = createRouter({
    routeTree: root.addChildren([shell.addChildren([page])]),
    history: createMemoryHistory({ initialEntries: [`/events/${eventId}/talks`] }),
  });
  return show(
    <Surroundings routes={routes}>
      <RouterProvider router={router as never} />
      <Toasts />
    </Surroundings>,
  );
}

test("names the event, and what a talk does not have", async () => {
  const place = await open("e1");
  await eventually(() => expect(place.querySelector("h1")?.textContent).toBe("Talks @ Friday"));
  await eventually(() => expect(place.querySelector("[data-row]")?.textContent).toContain("No title"));
  expect(place.querySelector("[data-row]")?.textContent).toContain("No imageNo titleNo speakerNot scheduled");
});

test("says that there is no such event, not that it has no talks", async () => {
  const place = await open("nowhere");
  await eventually(() => expect(place.textContent).toContain("There is no event with this address."));
  expect(place.textContent).not.toContain("No talks found");
});

test("takes a deletion back", async () => {
  const place = await open("e1");
  await eventually(() => expect(place.querySelectorAll("[data-row]")).toHaveLength(2));
  await act(async () =>
    [...place.querySelectorAll("button")].find(({ textContent }) => textContent === "Delete")!.click(),
  );
  await eventually(() =>
    expect(document.querySelector("[role=alertdialog]")?.textContent).toContain('delete "No title"?'),
  );
  await act(async () => [...document.querySelectorAll<HTMLElement>("[role=alertdialog] button")].at(-1)!.click());
  await eventually(() => expect(button("Undo")).toBeDefined());
  await press("Undo");
  await eventually(() => expect(restored).toEqual(["t1"]));
});
