// @vitest-environment jsdom
import { CatchBoundary } from "@tanstack/react-router";
import { Suspense, type FunctionComponent } from "react";
import { expect, test, vi } from "vitest";
import { eventually, press, show } from "../testing/show.tsx";
import { errorText } from "./errors.ts";
import { lazyPart, PartMissing } from "./lazy-part.ts";

const Screen = () => <p>Users</p>;
type File = Readonly<Record<"Screen", FunctionComponent<object>>>;

/** Renders the part between siblings, as the shell does. */
const around = (Part: FunctionComponent<object>) => (
  <>
    <nav>Tabs</nav>
    <CatchBoundary
      getResetKey={() => ""}
      errorComponent={({ error, reset }) => (
        <button
          type="button"
          onClick={() => {
            if (error instanceof PartMissing) error.forget();
            reset();
          }}
        >
          {errorText(error)}
        </button>
      )}
    >
      <Suspense fallback="Loading...">
        <Part />
      </Suspense>
    </CatchBoundary>
  </>
);

const MISSING = "[unavailable] its file did not come";

test("limits a failed file to the place of its part, and shows the part once the file loads", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  let isOnline = false;
  const load = () => (isOnline ? Promise.resolve<File>({ Screen }) : Promise.reject(new TypeError("Failed to fetch")));
  const place = await show(around(lazyPart(load, "Screen")));
  await eventually(() => expect(place.textContent).toBe(`Tabs${MISSING}`));
  isOnline = true;
  await press(MISSING);
  await eventually(() => expect(place.textContent).toBe("TabsUsers"));
  vi.restoreAllMocks();
});

test("requests a file again after its preload failed", async () => {
  const load = vi
    .fn<() => Promise<File>>()
    .mockRejectedValueOnce(new TypeError("Failed to fetch"))
    .mockResolvedValue({ Screen });
  const Part = lazyPart(load, "Screen");
  await Part.preload();
  const place = await show(around(Part));
  await eventually(() => expect(place.textContent).toBe("TabsUsers"));
});

test("loads a file once for any number of requests", async () => {
  const load = vi.fn<() => Promise<File>>().mockResolvedValue({ Screen });
  const Part = lazyPart(load, "Screen");
  await Promise.all([Part.preload(), Part.preload()]);
  await show(around(Part));
  expect(load).toHaveBeenCalledOnce();
});
