// @vitest-environment jsdom
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type NightReportSchema, NightService } from "@followspot/contract/night";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { afterEach, expect, test, vi } from "vitest";
import { eventually, show, Surroundings } from "../testing/show.tsx";
import { ReportPage } from "./report-page.tsx";

const inTokyo = (time: string) => timestampFromDate(new Date(`2026-05-01T${time}:00+09:00`));

afterEach(() => vi.unstubAllEnvs());

async function open(report: MessageInitShape<typeof NightReportSchema>): Promise<HTMLElement> {
  const root = createRootRoute();
  const shell = createRoute({ getParentRoute: () => root, id: "shell" });
  const page = createRoute({ getParentRoute: () => shell, path: "/events/$eventId/report", component: ReportPage });
  const router = createRouter({
    routeTree: root.addChildren([shell.addChildren([page])]),
    history: createMemoryHistory({ initialEntries: ["/events/e1/report"] }),
  });
  return show(
    <Surroundings
      routes={(wire) => wire.service(NightService, { getNightReport: () => ({ report }) })}
      roles={["Director"]}
    >
      <RouterProvider router={router as never} />
    </Surroundings>,
  );
}

test("tells a night by the clock of its event, and names that where the reader's own shows something else", async () => {
  vi.stubEnv("TZ", "Europe/Berlin");
  const report = {
    eventId: "e1",
    eventTitle: "Hanabi",
    startsAt: inTokyo("20:00"),
    endsAt: inTokyo("23:30"),
    timeZone: "Asia/Tokyo",
    songs: [{ songId: "s1", title: "Dusk", startedAt: inTokyo("21:05"), heardSeconds: 100, seconds: 200 }],
    people: 2,
    peopleAt: [{ at: inTokyo("19:45"), came: 2 }],
    faults: [{ kind: "part", says: "main-stage ended.", beganAt: inTokyo("22:10") }],
  };
  const place = await open(report);
  await eventually(() => expect(place.textContent).toContain("Report of Hanabi"));
  expect(place.textContent).toContain(
    "May 1, 2026, 8:00 PM to May 1, 2026, 11:30 PM, and two hours before and after. Times of the event are by its own clock, Asia/Tokyo.",
  );
  for (const time of ["9:05 PM", "at 7:45 PM", "10:10 PM"]) expect(place.textContent).toContain(time);
  expect(place.querySelector("a[download]")?.getAttribute("href")).toBe("/api/night/e1/report.csv?zone=Asia%2FTokyo");
});

test("says of a night that is still to come that nothing was played, and not that nothing went wrong", async () => {
  const startsAt = timestampFromDate(new Date(Date.now() + 86_400_000));
  const place = await open({
    eventId: "e1",
    eventTitle: "Hanabi",
    startsAt,
    talks: [{ talkId: "t1", title: "Sparks" }],
  });
  await eventually(() => expect(place.textContent).toContain("Nothing has been played yet."));
  expect(place.textContent).not.toContain("Nothing went wrong.");
});
