// @vitest-environment jsdom
import { Code, ConnectError } from "@connectrpc/connect";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { NightService } from "@followspot/contract/night";
import { expect, test } from "vitest";
import { addressed } from "../testing/addressed.tsx";
import { eventually, press, show, Surroundings } from "../testing/show.tsx";
import { PreflightPage } from "./preflight-page.tsx";

// kept: Console | With the server stopped preflight stayed green for as long as one looked | failed on the old code
test("what was well before the server went away is called old, and is well again once it answers", async () => {
  let isAway = false;
  const answer = {
    lines: [{ id: "server", title: "Server", state: "ok", says: "Database, broker and worker answer." }],
    checkedAt: timestampFromDate(new Date(2026, 10, 27, 4, 35)),
  };
  const { page } = addressed(<PreflightPage />, "/");
  const place = await show(
    <Surroundings
      routes={({ service }) =>
        service(NightService, {
          checkPreflight: () => {
            if (isAway) throw new ConnectError("the server cannot be reached", Code.Unavailable);
            return answer;
          },
        })
      }
    >
      {page}
    </Surroundings>,
  );
  await eventually(() => expect(place.textContent).toContain("All is well. Doors can open."));
  isAway = true;
  await press("Check again");
  await eventually(() => expect(place.textContent).toContain("Not checked since 4:35 AM"));
  expect(place.querySelector("[role=alert]")?.textContent).toContain("The server cannot be reached.");
  expect(place.textContent).not.toContain("All is well");
  isAway = false;
  await press("Check again");
  await eventually(() => expect(place.textContent).toContain("All is well. Doors can open."));
});
