// @vitest-environment jsdom
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { EventService } from "@followspot/contract/event";
import { MusicService } from "@followspot/contract/music";
import { NightService, type RehearseNightRequest } from "@followspot/contract/night";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { afterEach, expect, test, vi } from "vitest";
import { eventually, press, show, Surroundings } from "../testing/show.tsx";
import { RehearsalPage } from "./rehearsal-page.tsx";

afterEach(() => vi.unstubAllEnvs());

test("rehearses an evening by the clock of its event, and names that where the reader's own shows something else", async () => {
  vi.stubEnv("TZ", "Europe/Berlin");
  const inTokyo = (time: string) => timestampFromDate(new Date(`2026-05-01T${time}:00+09:00`));
  const times = { startsAt: inTokyo("20:00"), endsAt: inTokyo("23:30") };
  const asked: RehearseNightRequest[] = [];
  const root = createRootRoute();
  const shell = createRoute({ getParentRoute: () => root, id: "shell" });
  const page = createRoute({ getParentRoute: () => shell, path: "/rehearsal", component: RehearsalPage });
  const router = createRouter({
    routeTree: root.addChildren([shell.addChildren([page])]),
    history: createMemoryHistory({ initialEntries: ["/rehearsal"] }),
  });
  const place = await show(
    <Surroundings
      roles={["Director"]}
      routes={(wire) => {
        wire.service(EventService, {
          listEvents: () => ({ events: [{ id: "e1", title: "Hanabi", timeZone: "Asia/Tokyo", ...times }] }),
        });
        wire.service(MusicService, { listPlaylists: () => ({}) });
        wire.service(NightService, {
          rehearseNight: (request) => {
            asked.push(request);
            const moments = [{ at: inTokyo("21:10"), kind: "talk", title: "Bats", seconds: 1200 }];
            return { eventTitle: "Hanabi", ...times, moments, zone: request.zone };
          },
        });
      }}
    >
      <RouterProvider router={router as never} />
    </Surroundings>,
  );
  await eventually(() => expect(place.textContent).toContain("Hanabi · May 1, 2026, 8:00 PM GMT+9"));
  await press("Rehearse");
  await eventually(() => expect(place.textContent).toContain("Bats"));
  expect(asked[0]!.zone).toBe("Asia/Tokyo");
  for (const words of ["8:00 PM11:30 PM", "9:10 PM", "Next at 9:10 PM: Bats"])
    expect(place.textContent).toContain(words);
  expect(place.textContent).toContain("Times of the event are by its own clock, Asia/Tokyo.");
});
