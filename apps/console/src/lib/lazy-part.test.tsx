// @vitest-environment jsdom
import { CatchBoundary } from "@tanstack/react-router";
import { Suspense, type FunctionComponent } from "react";
import { expect, test, vi } from "vitest";
import { eventually, press, show } from "../testing/show.tsx";
import { errorText } from "./errors.ts";
import { lazyPart, PartMissing } from "./lazy-part.ts";

const Screen = () => <p>Users</p>;
type File = Readonly<Record<"Screen", FunctionComponent<object>>>;

/** The part between its neighbours, as the shell has it. */
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

test("keeps a file that does not come to its own place, and shows it once it comes", async () => {
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

test("asks again for what did not come ahead of time", async () => {
  const load = vi
    .fn<() => Promise<File>>()
    .mockRejectedValueOnce(new TypeError("Failed to fetch"))
    .mockResolvedValue({ Screen });
  const Part = lazyPart(load, "Screen");
  await Part.preload();
  const place = await show(around(Part));
  await eventually(() => expect(place.textContent).toBe("TabsUsers"));
});

test("reads a file once, however often it is asked for", async () => {
  const load = vi.fn<() => Promise<File>>().mockResolvedValue({ Screen });
  const Part = lazyPart(load, "Screen");
  await Promise.all([Part.preload(), Part.preload()]);
  await show(around(Part));
  expect(load).toHaveBeenCalledOnce();
});
