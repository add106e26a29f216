// @vitest-environment jsdom
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { EventService } from "@followspot/contract/event";
import { LightsService } from "@followspot/contract/lights";
import { MusicService } from "@followspot/contract/music";
import { TalkService } from "@followspot/contract/talk";
import { UserService } from "@followspot/contract/user";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from "@tanstack/react-router";
import { act, useState } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { CurrentUser } from "../auth/session.ts";
import * as desk from "../desk/use-desk.ts";
import { useScreenCommands } from "../lib/screen-commands.ts";
import { theme } from "../lib/theme.ts";
import { button, eventually, press as pressButton, show, type } from "../testing/show.tsx";
import { CommandPalette } from "./command-palette.tsx";

beforeEach(() => localStorage.clear());

interface Given {
  readonly roles?: readonly string[];
  readonly routes?: (router: ConnectRouter) => void;
  /** Registers actions of the current screen. */
  readonly offers?: () => void;
}

async function palette({ roles = ["Admin"], routes, offers }: Given = {}) {
  vi.stubGlobal("scrollTo", () => undefined);
  Element.prototype.scrollIntoView = () => undefined;
  const onClose = vi.fn();
  // Opened from a mounted screen, as by its shortcut.
  const Screen = () => {
    const [isOpen, setOpen] = useState(false);
    useScreenCommands(offers ? [{ text: "Status: Verified", keys: "Ctrl+Y", perform: offers }] : []);
    const close = () => {
      setOpen(false);
      onClose();
    };
    return (
      <>
        <button onClick={() => setOpen(true)}>Open</button>
        {isOpen && <CommandPalette onClose={close} />}
      </>
    );
  };
  const root = createRootRoute({
    component: () => (
      <CurrentUser value={{ id: "u1", name: "Ada", email: "", phone: "", roles }}>
        <Outlet />
      </CurrentUser>
    ),
  });
  const paths = [
    "/",
    "/users",
    "/workers",
    "/music/$id/visualizer",
    "/events/$eventId/stage",
    "/events/$eventId/talks",
  ];
  const routeTree = root.addChildren(
    paths.map((path) =>
      createRoute({
        getParentRoute: () => root,
        path,
        component: Screen,
      }),
    ),
  );
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  await router.load();
  // The test's own router is not the console's registered one.
  await show(<RouterProvider router={router as never} />, { roles, ...(routes ? { routes } : {}) });
  return { onClose, router, field: await openIt() };
}

async function openIt(): Promise<HTMLInputElement> {
  await eventually(() => expect(button("Open")).toBeTruthy());
  await pressButton("Open");
  await eventually(() => expect(document.querySelector("[role=combobox]")).not.toBeNull());
  return document.querySelector<HTMLInputElement>("[role=combobox]")!;
}

const options = () => [...document.querySelectorAll("[role=option]")].map((option) => option.textContent);
const groups = () =>
  [...document.querySelectorAll("[role=group]")].map(
    (group) => document.getElementById(group.getAttribute("aria-labelledby") ?? "")?.textContent,
  );
const said = () => [...document.querySelectorAll("[role=status]")].map(({ textContent }) => textContent).join(" ");
const press = (on: Element, key: string) =>
  act(async () => void on.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })));

/** Serves Mara Quast, the event Maraschino and the song Maranatha. */
const server = (router: ConnectRouter, usersFail?: Code) => {
  router.rpc(UserService.method.listUsers, () => {
    if (usersFail) throw new ConnectError("the table is being mended", usersFail);
    return { users: [{ id: "p1", name: "Mara Quast", email: "mara@example.org" }] };
  });
  router.rpc(EventService.method.listEvents, () => ({ events: [{ id: "e1", title: "Maraschino" }] }));
  router.rpc(MusicService.method.listSongs, () => ({ songs: [{ id: "s1", title: "Maranatha", artist: "Choir" }] }));
};

test("lists screens, new items and actions, fewer with each letter", async () => {
  const { field } = await palette();
  expect(groups()).toEqual(["Screens", "New", "Actions"]);
  expect(options()).toContain("Workers");
  await type(field, "theme li");
  await eventually(() => expect(options()).toEqual(["Theme: Light"]));
});

const ADMINS_OWN = ["Audit log", "Users", "New User", "New Light"];

test("lists everything for an Admin", async () => {
  await palette();
  expect(options()).toEqual(expect.arrayContaining(ADMINS_OWN));
});

test("hides screens and forms from a Director that only an Admin may use", async () => {
  await palette({ roles: ["Director"] });
  for (const own of ADMINS_OWN) expect(options()).not.toContain(own);
  expect(options()).toContain("Live desk");
});

test("opens the form of a new item", async () => {
  const { field, router } = await palette();
  await type(field, "new us");
  await eventually(() => expect(options()).toEqual(["New User"]));
  await press(field, "Enter");
  await eventually(() => expect(router.state.location.href).toBe("/users?open=new"));
});

test("creates a talk for the current or next event", async () => {
  const { field, router } = await palette({ routes: (routes) => server(routes) });
  await type(field, "new talk");
  await eventually(() => expect(options()).toEqual(["New Talk @ Maraschino"]));
  await press(field, "Enter");
  await eventually(() => expect(router.state.location.href).toBe("/events/e1/talks?open=new"));
});

test("Enter opens the selected entry", async () => {
  const { field, router, onClose } = await palette();
  await type(field, "work");
  await eventually(() => expect(options()).toEqual(["Workers"]));
  await press(field, "Enter");
  await eventually(() => expect(router.state.location.pathname).toBe("/workers"));
  expect(onClose).toHaveBeenCalledOnce();
});

test("the arrow keys move the selection", async () => {
  const { field } = await palette();
  await type(field, "theme");
  await eventually(() => expect(options()).toHaveLength(3));
  await press(field, "ArrowDown");
  await press(field, "Enter");
  await eventually(() => expect(theme.get()).toBe("light"));
});

test("finds users, events and songs on the server, each in its group, and opens the user's drawer", async () => {
  const { field, router } = await palette({ routes: (routes) => server(routes) });
  await type(field, "mar");
  await eventually(() =>
    expect(options()).toEqual([
      "New Talk @ Maraschino",
      "Mara Quastmara@example.org",
      "Maraschino",
      "Stage screen: Maraschino",
      "MaranathaChoir",
      'Play "Maranatha"Song',
    ]),
  );
  expect(groups()).toEqual(["New", "People", "Events", "Songs", "Play to everybody"]);
  await press(field, "ArrowDown");
  await press(field, "Enter");
  await eventually(() => expect(router.state.location.href).toBe("/users?person=p1"));
});

test("shows that it is searching, then that nothing matches", async () => {
  const { field } = await palette({
    routes: (router) => {
      router.rpc(EventService.method.listEvents, () => ({}));
      router.rpc(TalkService.method.listTalks, () => ({}));
      router.rpc(MusicService.method.listSongs, () => ({}));
      router.rpc(MusicService.method.listPlaylists, () => ({}));
      router.rpc(LightsService.method.listLights, () => ({}));
    },
    roles: ["AI"],
  });
  await type(field, "zzz");
  expect(said()).toContain("Searching…");
  await eventually(() => expect(said()).toContain("Nothing matches your search."));
  expect(options()).toEqual([]);
});

test("shows results although one kind fails, and names that kind", async () => {
  const { field } = await palette({ routes: (routes) => server(routes, Code.Unavailable) });
  await type(field, "mara");
  await eventually(() => expect(options()).toContain("MaranathaChoir"));
  await eventually(() => expect(said()).toContain("People could not be searched: The table is being mended."));
});

test("does not search users if the role may not list them", async () => {
  const asked = vi.fn(() => ({}));
  const { field } = await palette({
    roles: ["Director"],
    routes: (router) => {
      router.rpc(UserService.method.listUsers, asked);
      router.rpc(EventService.method.listEvents, () => ({ events: [{ id: "e1", title: "Maraschino" }] }));
    },
  });
  await type(field, "mara");
  await eventually(() => expect(options()).toContain("Maraschino"));
  expect(asked).not.toHaveBeenCalled();
});

test("sends one request for text typed without a pause", async () => {
  const asked = vi.fn(() => ({ users: [{ id: "p1", name: "Mara Quast" }] }));
  const { field } = await palette({ routes: (router) => router.rpc(UserService.method.listUsers, asked) });
  for (const text of ["ma", "mar", "mara"]) await type(field, text);
  await eventually(() => expect(options()).toContain("Mara Quast"));
  expect(asked).toHaveBeenCalledOnce();
});

test("lists recent choices first, and only those of the same user", async () => {
  const { field } = await palette({ routes: (routes) => server(routes) });
  await type(field, "maran");
  await eventually(() => expect(options()).toContain("MaranathaChoir"));
  await press(field, "Enter");
  await openIt();
  expect(groups()[0]).toBe("Chosen lately");
  expect(options()[0]).toBe("Mara QuastPerson");
  const again = document.querySelector<HTMLInputElement>("[role=combobox]")!;
  await type(again, "mara q");
  await eventually(() => expect(said()).not.toContain("Searching…"));
  expect(options().filter((each) => each?.includes("Mara Quast"))).toEqual(["Mara QuastPerson"]);
  expect(Object.keys(localStorage)).toEqual(["followspot.recent.u1"]);
});

// kept: Console | The palette knew an action by its own words alone | also
test.each([
  ["lights on", "Live desk"],
  ["bpm", "Music"],
  ["tmrw", "Events"],
])("finds by %s the intended screen, and no blackout", async (typed, screen) => {
  const { field } = await palette();
  await type(field, typed);
  await eventually(() => expect(options()[0]).toBe(screen));
  expect(options()).not.toContain("Blackout");
});

test("each screen in the palette has a distinct icon", async () => {
  await palette();
  await eventually(() => expect(groups()).toContain("Screens"));
  const screens = [...document.querySelectorAll("[role=group]")].find(({ textContent }) =>
    textContent?.startsWith("Screens"),
  )!;
  const signs = [...screens.querySelectorAll("[role=option] svg")].map((sign) => sign.innerHTML);
  expect(signs.length).toBeGreaterThan(15);
  expect(new Set(signs).size).toBe(signs.length);
});

test("runs actions of the current screen and shows their shortcuts", async () => {
  const offers = vi.fn();
  const { field } = await palette({ offers });
  await eventually(() => expect(groups()[0]).toBe("This screen"));
  await type(field, "verified");
  await eventually(() => expect(options()).toEqual(["Status: VerifiedCtrl+Y"]));
  await press(field, "Enter");
  expect(offers).toHaveBeenCalledOnce();
});

test("offers blackout to roles that control the stage", async () => {
  const presses = vi.spyOn(desk, "press").mockImplementation(() => undefined);
  const { field } = await palette({ roles: ["Director"] });
  await type(field, "blackout");
  await eventually(() => expect(options()).toEqual(["Blackout"]));
  await press(field, "Enter");
  expect(presses).toHaveBeenCalledExactlyOnceWith("blackout", true);
});

test("offers the stage screen to roles that control the stage", async () => {
  const { field, router } = await palette({ roles: ["Director"] });
  await type(field, "stage screen");
  await eventually(() => expect(options()).toEqual(["Stage screen"]));
  await press(field, "Enter");
  await eventually(() => expect(router.state.location.pathname).toBe("/events/default/stage"));
});

test("does not offer the stage screen to other roles", async () => {
  await palette({ roles: ["AI"] });
  expect(options()).not.toContain("Stage screen");
});

test('"play" plays a song to everyone from any screen; found songs offer it as well', async () => {
  const played: string[] = [];
  const routes = (router: ConnectRouter) => {
    server(router);
    router.rpc(MusicService.method.broadcastSong, ({ songId }) => (played.push(songId), {}));
  };
  const { field } = await palette({ roles: ["Admin", "Director"], routes });
  await type(field, "maran");
  await eventually(() => expect(groups().at(-1)).toBe("Play to everybody"));
  expect(options()[0]).not.toContain("Play");
  await type(field, "play maran");
  await eventually(() => expect(options()[0]).toContain('Play "Maranatha"'));
  await press(field, "Enter");
  await eventually(() => expect(played).toEqual(["s1"]));
});

// kept: Console | "friday talks" and "mira events" found nothing in the palette | failed with the fault put back
test.each([
  ["friday talks", "Talks · Friday night", "/events/e1/talks"],
  ["schedule fri", "Schedule · Friday night", "/events/e1/talks?view=schedule"],
  ["Mira events", "Events · Mira Falk", "/users?person=p1&tab=events"],
])("leads by %s to %s", async (typed, offered, href) => {
  const routes = (router: ConnectRouter) => {
    const named = (name: string, query = "") => query !== "" && name.toLowerCase().startsWith(query.toLowerCase());
    router.rpc(UserService.method.listUsers, ({ list }) => ({
      users: named("Mira Falk", list?.query) ? [{ id: "p1", name: "Mira Falk" }] : [],
    }));
    router.rpc(EventService.method.listEvents, ({ list }) => ({
      events: named("Friday night", list?.query) ? [{ id: "e1", title: "Friday night" }] : [],
    }));
  };
  const { field, router } = await palette({ routes });
  await type(field, typed);
  await eventually(() => expect(options()[0]).toBe(offered));
  await press(field, "Enter");
  await eventually(() => expect(router.state.location.href).toBe(href));
});

test("finds an action despite a typo, once the server has found no exact match", async () => {
  const { field } = await palette({ roles: ["Director"] });
  await type(field, "pasue");
  await eventually(() => expect(options()).toEqual(["Pause the music"]));
});

// kept: Console | Failed songs could not be started again from the palette | failed with the fault put back
test("retries all failed songs from any screen, each from the step that failed", async () => {
  const retried: string[] = [];
  const routes = (router: ConnectRouter) => {
    router.rpc(MusicService.method.listSongs, ({ list }) => ({
      songs:
        list?.filter === "error"
          ? [
              { id: "s1", analysisStatus: "error", lightingStatus: "pending", audio: "a.mp3" },
              { id: "s2", analysisStatus: "ready", lightingStatus: "error", audio: "b.mp3" },
            ]
          : [],
    }));
    router.rpc(MusicService.method.retrySong, ({ songId, step }) => (retried.push(`${songId} ${step}`), {}));
  };
  const { field } = await palette({ routes });
  await type(field, "retry");
  await eventually(() => expect(options()[0]).toBe("Retry all failed songs"));
  await press(field, "Enter");
  await eventually(() => expect(retried).toEqual(["s1 analysis", "s2 lighting"]));
});

// kept: Console | The demo songs could not be added once there was another song | failed on the old code
test.each([
  [["Admin"], ["house", "rock", "ballad"]],
  [["AI"], []],
])("adds the demo songs for %j: %j", async (roles, songs) => {
  const added: string[] = [];
  const { field } = await palette({
    roles,
    routes: (router) => router.rpc(MusicService.method.addDemoSong, ({ song }) => (added.push(song), {})),
  });
  await type(field, "demo");
  await eventually(() => expect(options().join().includes("Add the demo songs")).toBe(songs.length > 0));
  if (songs.length > 0) await press(field, "Enter");
  await eventually(() => expect(added).toEqual(songs));
});
