// @vitest-environment jsdom
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { EventService } from "@followspot/contract/event";
import { MusicService } from "@followspot/contract/music";
import { NightService } from "@followspot/contract/night";
import { beforeEach, expect, test, vi } from "vitest";
import { eventually, show } from "../testing/show.tsx";
import { TonightPage } from "./tonight-page.tsx";

beforeEach(() => {
  // The desk's line stays closed, and there is no room for the stage.
  vi.stubGlobal("WebSocket", class extends EventTarget {});
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
});

const open = (routes: (router: ConnectRouter) => void) => show(<TonightPage />, { routes, address: "/" });

test("does not take for nothing what could not be read", async () => {
  const away = () => {
    throw new ConnectError("The database is not reachable.", Code.Unavailable);
  };
  const place = await open((router) => {
    router.service(EventService, { listEvents: away });
    router.service(MusicService, { getShowQueue: away });
    router.service(NightService, { checkPreflight: away });
  });
  await eventually(() => expect(place.textContent).toContain("It is not known which event is on: [unavailable]"));
  await eventually(() => expect(place.textContent).toContain("It is not known what plays: [unavailable]"));
  expect(place.textContent).toContain("Talks and songs could not all be read.");
  for (const claim of ["No event is on", "No song plays", "No talks are planned", "Preflight well"])
    expect(place.textContent).not.toContain(claim);
});

test("says that there is no event and no song once it is known", async () => {
  const place = await open((router) => {
    router.service(EventService, { listEvents: () => ({}) });
    router.service(MusicService, { getShowQueue: () => ({ queue: { mode: "stopped" } }) });
  });
  await eventually(() => expect(place.textContent).toContain("No event is on"));
  await eventually(() => expect(place.textContent).toContain("No song plays"));
  expect(place.textContent).toContain("No talks are planned, and no playlist plays.");
});
