// @vitest-environment jsdom
import { DirectorService } from "@followspot/contract/director";
import { expect, test } from "vitest";
import { eventually, field, press, show, type } from "../testing/show.tsx";
import { AnnounceDialog } from "./announce-dialog.tsx";

// kept: Console | An announcement of "30 s" stayed until something else was shown | failed on the old code
test.each([
  ["45", 45],
  ["0", 0],
  ["30 s", undefined],
  ["", undefined],
  ["-5", undefined],
  ["half", undefined],
])("shows an announcement for %j seconds: %s", async (typed, seconds) => {
  const shown: number[] = [];
  await show(<AnnounceDialog eventId={undefined} onClose={() => undefined} />, {
    routes: (router) =>
      router.service(DirectorService, { makeAnnouncement: (request) => (shown.push(request.seconds), {}) }),
  });
  await type(field("What it says"), "Last round");
  await type(field("Seconds"), typed);
  await press("Show it");
  if (seconds !== undefined) await eventually(() => expect(shown).toEqual([seconds]));
  else {
    await eventually(() => expect(document.body.textContent).toContain("Enter whole seconds, 0 to 86,400."));
    expect(shown).toEqual([]);
  }
});
