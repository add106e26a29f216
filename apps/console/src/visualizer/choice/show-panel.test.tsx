// @vitest-environment jsdom
import { Code, ConnectError } from "@connectrpc/connect";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { act } from "react";
import { expect, it } from "vitest";
import { NO_WISHES, type LightingPlan, type ShowWishes } from "@followspot/contract";
import { MusicService } from "@followspot/contract/music";
import { button, choose, eventually, field, press, show, Surroundings } from "../../testing/show.tsx";
import type { SongPlayer } from "../player/song-player.ts";
import type { SongHeading } from "../visualizer.queries.ts";
import type { ChosenCue } from "./change-wishes.ts";
import { ShowPanel } from "./show-panel.tsx";
import { useChoice } from "./use-choice.ts";

const remark = (text: string, isGood: boolean) => ({ text, isGood });
// Only what the panel reads of a plan.
const plan = {
  duration: 60,
  sections: [
    { label: "verse", start: 0, end: 30, rank: 2 },
    { label: "chorus", start: 30, end: 60, rank: 4 },
  ],
  event_lanes: {
    "role:par": [
      {
        time: 0,
        duration: 10,
        intent: "slow_wave",
        palette: ["#ff0000"],
        params: { level: 0.8 },
        section: "verse",
        energy: 0.5,
        reason: "calm",
      },
    ],
  },
  choice: {
    tried: 8,
    remarks: [
      remark("Sections look as different as they sound.", true),
      remark("Swing too small", false),
      ...Array.from({ length: 6 }, (_, i) => remark(`measure ${i}`, true)),
    ],
    runners_up: [
      { seed: 11, differs: ["violet instead of orange", "choruses in pairs"] },
      { seed: 12, differs: ["drops: build up"] },
    ],
  },
} as unknown as LightingPlan;
const READY = { title: "Song", analysisStatus: "ready", lightingStatus: "ready" } as SongHeading;
const revision = (number: number, changed: string, isCurrent = false) => ({
  number,
  changed: [changed],
  isCurrent,
  palette: ["#ff0000"],
});

interface Place {
  readonly at?: number;
  readonly heading?: SongHeading;
  readonly roles?: readonly string[];
  readonly chosen?: ChosenCue;
  readonly refuse?: boolean;
}

/** The panel before a server that keeps wishes and shows. */
async function showPanel({ at = 0, heading = READY, roles = ["Admin"], chosen, refuse = false }: Place = {}) {
  const sent: ShowWishes[] = [];
  const restored: number[] = [];
  const server = { wishes: NO_WISHES as ShowWishes, revision: 0, refuse };
  const player = { time: () => at, onFrame: () => () => undefined } as unknown as SongPlayer;
  function Panel() {
    const { choice, problem, retry } = useChoice("s1", true, plan);
    return (
      <ShowPanel
        songId="s1"
        heading={heading}
        plan={plan}
        choice={choice}
        problem={problem}
        onRetry={retry}
        onPlanAgain={() => undefined}
        player={player}
        chosen={chosen}
        onChoose={() => undefined}
        onClose={() => undefined}
      />
    );
  }
  const router = createRouter({ routeTree: createRootRoute({ component: Panel }), history: createMemoryHistory() });
  await router.load();
  const place = await show(
    <Surroundings
      roles={roles}
      routes={({ service }) =>
        service(MusicService, {
          getShowWishes: () => ({ wishesJson: JSON.stringify(server.wishes), revision: server.revision }),
          updateShowWishes: ({ wishesJson }) => {
            if (server.refuse) throw new ConnectError("Somebody else changed this show meanwhile.", Code.Aborted);
            server.wishes = JSON.parse(wishesJson) as ShowWishes;
            sent.push(server.wishes);
            return { revision: ++server.revision };
          },
          listPlanRevisions: () => ({ revisions: [revision(3, "mood: dark", true), revision(1, "first show")] }),
          restorePlanRevision: ({ number }) => {
            restored.push(number);
            return { wishesRevision: 1 };
          },
        })
      }
    >
      {/* The test's own router is not the console's registered one. */}
      <RouterProvider router={router as never} />
    </Surroundings>,
  );
  await eventually(() => expect(place.textContent).toContain("Other shows"));
  return { place, sent, restored, server };
}

it("says what the judge says, six things at once, good or not in words", async () => {
  const { place } = await showPanel();
  expect(place.textContent).toContain("The best of 8 shows");
  expect(place.textContent).toContain("Good: Sections look as different as they sound.");
  expect(place.textContent).toContain("Not good: Swing too small");
  expect([...place.querySelectorAll("li")].filter((li) => !li.closest("details"))).toHaveLength(6);
  expect(place.textContent).toContain("More (2)");
});

it("tries a runner-up by what differs, and goes back to the best", async () => {
  const { place, sent } = await showPanel();
  expect(button("Back to the best").disabled).toBe(true);
  await press("Try: violet instead of orange · choruses in pairs");
  await eventually(() => expect(sent.at(-1)).toEqual({ ...NO_WISHES, seed: 11 }));
  await eventually(() => expect(place.textContent).toContain("chosen by hand"));
  await press("Back to the best");
  await eventually(() => expect(sent.at(-1)).toEqual(NO_WISHES));
});

it("rolls the section at the playhead again, and only that", async () => {
  const { sent } = await showPanel({ at: 40 });
  await press("Roll this section again");
  await eventually(() => expect(Object.keys(sent.at(-1)?.section_seeds ?? {})).toEqual(["1"]));
  await eventually(() => expect(button("As before").disabled).toBe(false));
  await press("As before");
  await eventually(() => expect(sent.at(-1)).toEqual(NO_WISHES));
});

it("chooses a mood, and says which one is chosen", async () => {
  const { sent } = await showPanel();
  expect(button("As heard").getAttribute("aria-pressed")).toBe("true");
  await press("Dark");
  await eventually(() => expect(sent.at(-1)?.mood).toBe("dark"));
  await eventually(() => expect(button("Dark").getAttribute("aria-pressed")).toBe("true"));
});

it("undoes by the show before, and offers every other one", async () => {
  const { restored } = await showPanel();
  await eventually(() => expect(button("Undo: mood: dark").disabled).toBe(false));
  await press("Undo: mood: dark");
  await eventually(() => expect(restored).toEqual([1]));
  await eventually(() => expect(button("Restore show 1").disabled).toBe(false));
});

it("changes a cue step by step, takes steps back, and sends them with Save alone", async () => {
  const { place, sent } = await showPanel({ chosen: { target: "role:par", time: 0 } });
  await choose("Intent", "chase");
  expect(place.textContent).toContain("Unsaved changes of cues");
  await press("Delete");
  expect(place.textContent).toContain("Deleted: dark here");
  await press("Undo last change of a cue");
  expect(field("Intent").value).toBe("chase");
  await act(async () => undefined);
  expect(sent).toEqual([]);
  await press("Save");
  await eventually(() => expect(sent.at(-1)?.kept[0]).toMatchObject({ target: "role:par", cue: { intent: "chase" } }));
  await eventually(() => expect(place.textContent).not.toContain("Unsaved changes of cues"));
  await press("Unlock");
  await press("Save");
  await eventually(() => expect(sent.at(-1)).toEqual(NO_WISHES));
});

it("keeps what is unsaved when somebody else was first, and loads theirs when asked", async () => {
  const { place, server } = await showPanel({ chosen: { target: "role:par", time: 0 }, refuse: true });
  await press("Lock");
  await press("Save");
  await eventually(() =>
    expect(place.textContent).toContain("Not changed. Somebody else changed this show meanwhile."),
  );
  expect(place.textContent).toContain("Unsaved changes of cues");
  Object.assign(server, { wishes: { ...NO_WISHES, mood: "calm" }, revision: 5, refuse: false });
  await press("Load theirs");
  await eventually(() => expect(button("Calm").getAttribute("aria-pressed")).toBe("true"));
  expect(place.textContent).not.toContain("Unsaved changes of cues");
});

it("stays while the show is planned, and says why planning failed", async () => {
  const planning = { ...READY, lightingStatus: "processing", step: "lighting", percent: 30 };
  expect((await showPanel({ heading: planning })).place.textContent).toContain("Planning… 30 %");
  const failed = { ...READY, lightingStatus: "error", errorMessage: "No space left" };
  const { place } = await showPanel({ heading: failed });
  expect(place.textContent).toContain("Planning failed: No space left");
  expect(place.textContent).toContain("Plan again");
});

it("shows a Director everything and offers nothing", async () => {
  const { place } = await showPanel({ roles: ["Director"] });
  expect(place.textContent).toContain("Only an Admin can choose another show.");
  expect(button("Try: drops: build up").disabled).toBe(true);
  expect(button("Roll this section again").disabled).toBe(true);
});
