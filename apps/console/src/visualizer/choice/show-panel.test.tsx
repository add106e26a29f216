// @vitest-environment jsdom
import { Code, ConnectError } from "@connectrpc/connect";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { act } from "react";
import { expect, it } from "vitest";
import { NO_WISHES, type LightingPlan, type ShowWishes } from "@followspot/contract";
import { MusicService } from "@followspot/contract/music";
import { button, choose, eventually, field, press, show, Surroundings, type } from "../../testing/show.tsx";
import type { SongPlayer } from "../player/song-player.ts";
import { targetLabel, timelineLanes } from "../timeline/timeline-layout.ts";
import type { SongHeading } from "../visualizer.queries.ts";
import type { ChosenCue } from "./change-wishes.ts";
import { ShowPanel } from "./show-panel.tsx";
import { useChoice } from "./use-choice.ts";
import { useFadeDrawing } from "./use-fade-drawing.ts";

const remark = (text: string, isGood: boolean) => ({ text, isGood });
// The subset of a plan that the panel reads.
const plan = {
  duration: 60,
  sections: [
    { label: "verse", start: 0, end: 30, rank: 2 },
    { label: "chorus", start: 30, end: 45, rank: 4 },
    { label: "chorus", start: 45, end: 60, rank: 4 },
  ],
  palette: ["#0000ff"],
  beats: Array.from({ length: 120 }, (_, i) => i / 2),
  downbeats: Array.from({ length: 30 }, (_, i) => 2 * i),
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
      {
        time: 30,
        duration: 15,
        intent: "beat_pulse",
        palette: ["#00ff00"],
        params: { level: 1 },
        section: "chorus",
        energy: 0.9,
        reason: "loud",
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

/** Renders the panel with a fake server that stores settings and shows. */
async function showPanel({ at = 0, heading = READY, roles = ["Admin"], chosen, refuse = false }: Place = {}) {
  const sent: ShowWishes[] = [];
  const restored: number[] = [];
  const looks: { id: string; name: string; lookJson: string }[] = [];
  const server = { wishes: NO_WISHES as ShowWishes, revision: 0, refuse };
  const player = { time: () => at, onFrame: () => () => undefined } as unknown as SongPlayer;
  function Panel() {
    const { choice, problem, retry } = useChoice("s1", true, plan);
    const drawing = useFadeDrawing(choice, plan, () => undefined);
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
        lanes={timelineLanes(plan, (target) => targetLabel(target, new Map()))}
        drawing={drawing}
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
            if (server.refuse) throw new ConnectError("Another person changed this show meanwhile.", Code.Aborted);
            server.wishes = JSON.parse(wishesJson) as ShowWishes;
            sent.push(server.wishes);
            return { revision: ++server.revision };
          },
          listLooks: () => ({ looks }),
          saveLook: ({ name, lookJson }) => {
            if (looks.some((look) => look.name === name))
              throw new ConnectError(`There is a look named "${name}" already.`, Code.AlreadyExists);
            const look = { id: `look ${looks.length}`, name, lookJson };
            looks.push(look);
            return { look };
          },
          renameLook: ({ lookId, name }) => {
            const look = looks.find(({ id }) => id === lookId)!;
            look.name = name;
            return { look };
          },
          deleteLook: ({ lookId }) => {
            looks.splice(
              looks.findIndex(({ id }) => id === lookId),
              1,
            );
            return {};
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
  return { place, sent, restored, server, looks };
}

it("lists six remarks of the rating, each marked as good or not good", async () => {
  const { place } = await showPanel();
  expect(place.textContent).toContain("The best of 8 shows");
  expect(place.textContent).toContain("Good: Sections look as different as they sound.");
  expect(place.textContent).toContain("Not good: Swing too small");
  expect([...place.querySelectorAll("li")].filter((li) => !li.closest("details"))).toHaveLength(6);
  expect(place.textContent).toContain("More (2)");
});

it("labels a runner-up by its differences, selects it, and returns to the best show", async () => {
  const { place, sent } = await showPanel();
  expect(button("Back to the best").disabled).toBe(true);
  await press("Try: violet instead of orange · choruses in pairs");
  await eventually(() => expect(sent.at(-1)).toEqual({ ...NO_WISHES, seed: 11 }));
  await eventually(() => expect(place.textContent).toContain("chosen by hand"));
  await press("Back to the best");
  await eventually(() => expect(sent.at(-1)).toEqual(NO_WISHES));
});

it("rolls the section at the playhead again, and only that section", async () => {
  const { sent } = await showPanel({ at: 40 });
  await press("Roll this section again");
  await eventually(() => expect(Object.keys(sent.at(-1)?.section_seeds ?? {})).toEqual(["1"]));
  await eventually(() => expect(button("As before").disabled).toBe(false));
  await press("As before");
  await eventually(() => expect(sent.at(-1)).toEqual(NO_WISHES));
});

it("selects a mood and marks it as selected", async () => {
  const { sent } = await showPanel();
  expect(button("As heard").getAttribute("aria-pressed")).toBe("true");
  await press("Dark");
  await eventually(() => expect(sent.at(-1)?.mood).toBe("dark"));
  await eventually(() => expect(button("Dark").getAttribute("aria-pressed")).toBe("true"));
});

it("undoes to the previous show, and offers to restore every other one", async () => {
  const { restored } = await showPanel();
  await eventually(() => expect(button("Undo: mood: dark").disabled).toBe(false));
  await press("Undo: mood: dark");
  await eventually(() => expect(restored).toEqual([1]));
  await eventually(() => expect(button("Restore show 1").disabled).toBe(false));
});

it("edits a cue in steps, undoes steps, and sends the changes only on Save", async () => {
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

it("keeps unsaved changes after a conflict, and loads the other user's version on request", async () => {
  const { place, server } = await showPanel({ chosen: { target: "role:par", time: 0 }, refuse: true });
  await press("Lock");
  await press("Save");
  await eventually(() =>
    expect(place.textContent).toContain("Not changed. Another person changed this show meanwhile."),
  );
  expect(place.textContent).toContain("Unsaved changes of cues");
  Object.assign(server, { wishes: { ...NO_WISHES, mood: "calm" }, revision: 5, refuse: false });
  await press("Load theirs");
  await eventually(() => expect(button("Calm").getAttribute("aria-pressed")).toBe("true"));
  expect(place.textContent).not.toContain("Unsaved changes of cues");
});

it("stays open while the show is planned, and shows why planning failed", async () => {
  const planning = { ...READY, lightingStatus: "processing", step: "lighting", percent: 30 };
  expect((await showPanel({ heading: planning })).place.textContent).toContain("Planning… 30 %");
  const failed = { ...READY, lightingStatus: "error", errorMessage: "No space left" };
  const { place } = await showPanel({ heading: failed });
  expect(place.textContent).toContain("Planning failed: No space left");
  expect(place.textContent).toContain("Plan again");
});

it("shows everything to a Director, with all controls disabled", async () => {
  const { place } = await showPanel({ roles: ["Director"] });
  expect(place.textContent).toContain("Only an Admin can choose another show.");
  expect(button("Try: drops: build up").disabled).toBe(true);
  expect(button("Roll this section again").disabled).toBe(true);
});

const keptOf = ({ kept }: ShowWishes) => kept.map(({ cue }) => [cue.time, cue.duration, cue.intent]);

it("copies the look of a chorus to the other chorus as one step that can be saved or undone", async () => {
  const { place, sent } = await showPanel({ at: 30 });
  await press("Copy to the other chorus");
  expect(place.textContent).toContain("Copied to 1 more of chorus.");
  await press("Undo last change of a cue");
  expect(button("Save").disabled).toBe(true);
  await press("Redo change of a cue");
  await press("Save");
  await eventually(() => expect(sent.map(keptOf)).toEqual([[[45, 15, "beat_pulse"]]]));
});

it("saves a look under a name, applies it to another section, renames it and deletes it", async () => {
  const { place, sent, looks } = await showPanel({ at: 30 });
  await type(field("Name of the look"), "Green hits");
  await press("Save look");
  await eventually(() => expect(place.textContent).toContain("Own looks (1)"));
  expect(JSON.parse(looks[0]!.lookJson)).toMatchObject({ beats: 30, cues: [{ target: "role:par", at: 0, beats: 30 }] });

  await type(field("Name of the look"), "Green hits");
  await press("Save look");
  await eventually(() => expect(place.textContent).toContain('Not kept. There is a look named "Green hits" already.'));

  await press("Put here: Green hits");
  await press("Save");
  await eventually(() => expect(sent.map(keptOf)).toEqual([[[30, 15, "beat_pulse"]]]));

  await press("Rename: Green hits");
  await type(field("New name of Green hits"), "Green");
  await press("Keep");
  await eventually(() => expect(place.textContent).toContain("Green ·"));
  await press("Delete: Green");
  await eventually(() => expect(place.textContent).toContain("Own looks (0)"));
});

it("adds a fade from numbers at the playhead", async () => {
  const { sent } = await showPanel({ at: 12 });
  await type(field("From, %"), "20");
  await type(field("To, %"), "80");
  await press("Add at the playhead");
  await press("Save");
  await eventually(() =>
    expect(sent[0]?.kept).toMatchObject([
      { target: "role:par", cue: { time: 12, duration: 4, intent: "fade", params: { level: 0.2, to_level: 0.8 } } },
    ]),
  );
});
