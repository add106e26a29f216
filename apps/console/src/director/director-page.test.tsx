// @vitest-environment jsdom
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { DirectorService, StageScreenSchema, type StageScreen } from "@followspot/contract/director";
import { EventService } from "@followspot/contract/event";
import { TalkService, type TalkSchema } from "@followspot/contract/talk";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from "@tanstack/react-router";
import { act } from "react";
import { expect, test, vi } from "vitest";
import { button, eventually, press, show, Surroundings, type } from "../testing/show.tsx";
import { DirectorPage } from "./director-page.tsx";

/** Fake server that handles the calls of this screen like the real one. @param more additional fields of its talk */
function server(more: MessageInitShape<typeof TalkSchema>) {
  let screen = create(StageScreenSchema, { id: "E1", view: "home", serverTime: timestampFromMs(Date.now()) });
  const asked: [string, Record<string, unknown>][] = [];
  const state = { refusal: undefined as ConnectError | undefined, hasLink: false };
  const change = (name: string, fields: (request: never) => Partial<StageScreen>) => (request: object) => {
    asked.push([name, { ...request }]);
    if (state.refusal) throw state.refusal;
    screen = { ...screen, ...fields(request as never), revision: screen.revision + 1 };
    return { screen };
  };
  const link = () => ({ link: { path: "/stage/E1#key" } });
  const routes: Parameters<typeof Surroundings>[0]["routes"] = (router) => {
    router.service(DirectorService, {
      getStageScreen: () => ({ screen }),
      goHome: change("GoHome", () => ({ view: "home", talkId: "" })),
      pushTalk: change("PushTalk", ({ talkId }: { talkId: string }) => ({ view: "talk", talkId, talkTitle: "Light" })),
      endTalk: change("EndTalk", () => ({ view: "home", talkId: "" })),
      startTimer: change("StartTimer", ({ seconds }: { seconds: number }) => ({
        timerEndsAt: timestampFromMs(Date.now() + seconds * 1000),
      })),
      makeAnnouncement: change("MakeAnnouncement", ({ text }: { text: string }) => ({
        view: "announcement",
        announcement: text,
      })),
      showLamps: change("ShowLamps", ({ shown }: { shown: boolean }) => ({ showsLamps: shown })),
      announcePlayer: change("AnnouncePlayer", () => ({ view: "player", playerName: "Ada" })),
      listPlayers: () => ({ players: [{ id: "P1", name: "Ada", points: 1 }] }),
      getStageLink: () => (state.hasLink ? link() : {}),
      createStageLink: () => {
        state.hasLink = true;
        return link();
      },
    });
    router.service(EventService, {
      listEvents: () => ({ events: [] }),
      getEvent: () => ({ event: { id: "E1", title: "Night" } }),
    });
    router.service(TalkService, {
      listTalks: () => ({ talks: [{ id: "T1", title: "Light", userName: "Mira", ...more }] }),
    });
  };
  return { routes, asked, state };
}

async function strip(roles: readonly string[] = ["Director"], more: MessageInitShape<typeof TalkSchema> = {}) {
  vi.stubGlobal("scrollTo", () => undefined);
  const made = server(more);
  const root = createRootRoute({
    component: () => (
      <Surroundings routes={made.routes} roles={roles}>
        <Outlet />
      </Surroundings>
    ),
  });
  const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Outlet });
  const paths = ["/events/$eventId/stage", "/events"].map((path) =>
    createRoute({ getParentRoute: () => shell, path, component: path === "/events" ? () => null : DirectorPage }),
  );
  const history = createMemoryHistory({ initialEntries: ["/events/E1/stage"] });
  const router = createRouter({ routeTree: root.addChildren([shell.addChildren(paths)]), history });
  await router.load();
  // The test's router differs from the console's registered router type.
  await show(<RouterProvider router={router as never} />);
  return made;
}
const page = () => document.body.textContent ?? "";
const onStage = () => document.querySelector("section[aria-label='On stage now']")?.textContent ?? "";

test("shows and hides the stage behind the text of the screen", async () => {
  const { asked } = await strip();
  await eventually(() => expect(page()).toContain("The page is dark behind its words."));
  await press("Show the stage");
  await eventually(() => expect(page()).toContain("The stage is shown behind the words, lit as its lamps are."));
  await press("Hide the stage");
  await eventually(() => expect(page()).toContain("The page is dark behind its words."));
  expect(asked.map(([name, { shown }]) => [name, shown])).toEqual([
    ["ShowLamps", true],
    ["ShowLamps", false],
  ]);
});

test("shows the current stage view, and confirms a press", async () => {
  const { asked } = await strip();
  await eventually(() => expect(onStage()).toContain("Home"));
  await eventually(() => expect(button("Show Light")).toBeDefined());
  await press("Show Light");
  await eventually(() => expect(onStage()).toContain("Light"));
  await eventually(() => expect(button("Show Light").textContent).toContain("Shown"));
  expect(asked.map(([name, { talkId, ifRevision }]) => [name, talkId, ifRevision])).toEqual([
    ["PushTalk", "T1", undefined],
  ]);
});

test("shows start times of talks in the event's time zone, and names the zone", async () => {
  const startAt = timestampFromMs(Date.parse("2026-05-01T21:10:00+09:00"));
  await strip(["Director"], { startAt, timeZone: "Asia/Tokyo" });
  await eventually(() => expect(page()).toContain("9:10 PM · Mira"));
  expect(page()).toContain("Times of the event are by its own clock, Asia/Tokyo.");
});

test("sends the seen revision when it removes something from the screen", async () => {
  const { asked } = await strip();
  await eventually(() => expect(button("Show Light")).toBeDefined());
  await press("Show Light");
  await eventually(() => expect(button("End talk")).toBeDefined());
  await press("End talk");
  await eventually(() => expect(onStage()).not.toContain("Light"));
  expect(asked.at(-1)).toMatchObject(["EndTalk", { eventId: "E1", ifRevision: 1 }]);
});

test("shows why a press was rejected, until the next press succeeds", async () => {
  const { state } = await strip();
  await eventually(() => expect(button("3 min")).toBeDefined());
  state.refusal = new ConnectError("Another person changed the stage screen just before.", Code.Aborted);
  await press("3 min");
  await eventually(() => expect(onStage()).toContain("Not shown: Another person changed the stage screen"));
  state.refusal = undefined;
  await press("3 min");
  await eventually(() => expect(onStage()).toMatch(/3:00|2:59/));
  expect(onStage()).not.toContain("Not shown");
});

/** Returns the Show button of the announcement. Talks have a button with the same text. */
const showWords = () =>
  [...document.querySelectorAll<HTMLButtonElement>("section[aria-label='Announcement'] button")].find(
    ({ textContent }) => textContent === "Show",
  )!;

test("preserves a rejected announcement, and clears an accepted one", async () => {
  const { state, asked } = await strip();
  await eventually(() => expect(document.querySelector("textarea")).not.toBeNull());
  const field = document.querySelector("textarea")!;
  expect(showWords().disabled).toBe(true);
  await write(field, "Bar is open");
  state.refusal = new ConnectError("the server cannot be reached", Code.Unavailable);
  await press("30 s");
  await act(async () => showWords().click());
  await eventually(() => expect(onStage()).toContain("Not shown"));
  expect(field.value).toBe("Bar is open");
  state.refusal = undefined;
  await act(async () => showWords().click());
  await eventually(() => expect(field.value).toBe(""));
  expect(asked.at(-1)).toMatchObject(["MakeAnnouncement", { text: "Bar is open", seconds: 30 }]);
});

test("finds a player by name and puts them on the screen", async () => {
  await strip();
  await eventually(() => expect(document.querySelector("input[type=search]")).not.toBeNull());
  await type(document.querySelector<HTMLInputElement>("input[type=search]")!, "ad");
  await eventually(() => expect(button("Announce Ada1 point")).toBeDefined());
  await press("Announce Ada1 point");
  await eventually(() => expect(onStage()).toContain("Ada"));
});

test("creates a link for the projector and shows its QR code", async () => {
  await strip();
  await eventually(() => expect(button("Make link")).toBeDefined());
  await press("Make link");
  await eventually(() => expect(button("QR code")).toBeDefined());
  const address = document.querySelector<HTMLInputElement>("input[readonly]");
  expect(address?.value).toMatch(/\/stage\/E1#key$/);
  await press("QR code");
  await eventually(() => expect(document.querySelector("svg[role=img]")).not.toBeNull());
});

test("shows a notice to users without permission, and sends no requests", async () => {
  const { asked } = await strip(["AI"]);
  await eventually(() => expect(page()).toContain("Only Directors and Admins run the stage screen."));
  expect(asked).toEqual([]);
});

async function write(field: HTMLTextAreaElement, value: string): Promise<void> {
  const setter = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set;
  setter?.call(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  await eventually(() => expect(showWords().disabled).toBe(false));
}
