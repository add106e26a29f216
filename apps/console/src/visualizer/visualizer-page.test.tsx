// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LightingPlan, SongAnalysis } from "@followspot/contract";
import { emptyPlan, parsRig } from "@followspot/lighting";
import { song } from "../../../../packages/analysis/src/testing/analysed-song.ts";
import { CurrentUser } from "../auth/session.ts";
import { RpcProvider } from "../lib/rpc-provider.tsx";
import { liveState } from "../realtime/live-state.ts";
import { tellListeners } from "../realtime/listeners.ts";
import { Toasts } from "../ui/toast.tsx";
import { eventually } from "../testing/show.tsx";
import { VisualizerPage } from "./visualizer-page.tsx";

const heard = song((i) => i * 0.5, 120);
/** One minute of a verse at 120 BPM, with a drop in the middle. */
const analysis: SongAnalysis = {
  ...heard,
  song_id: "s1",
  key: "F# minor",
  structure: { sections: [{ start: 0, end: 60, label: "verse", energy: 0.5, intensity: 0.5, confidence: 1 }] },
  drop_predictions: [{ time: 30, confidence: 0.96, type: "drop", energy: 1 }],
  insights: { ...heard.insights, key_info: { key: "F#", mode: "minor", confidence: 1 } },
};

const plan: LightingPlan = {
  ...emptyPlan([]),
  song_id: "s1",
  duration: 60,
  palette: ["#ff0000"],
  beats: analysis.beats,
  downbeats: analysis.downbeats,
  event_lanes: {
    "role:wash": [
      {
        time: 0,
        duration: 10,
        intent: "slow_wave",
        palette: ["#ff0000", "#0000ff"],
        params: { level: 0.8, step_beats: 4 },
        section: "verse",
        energy: 0.5,
        reason: "the verse is calm",
      },
    ],
  },
};

/** JSON response by path, or a function that creates it; other paths return 404. */
let answers: Record<string, unknown>;
/** Last request body by path. */
let sent: Record<string, unknown>;
const MUSIC = "/followspot.music.v1.MusicService";
let unmount: (() => void) | undefined;

class DeafSocket extends EventTarget {
  readonly readyState = 0;
  close(): void {}
}

class NoObserver {
  observe(): void {}
  disconnect(): void {}
}

beforeEach(() => {
  liveState.set("offline");
  answers = {
    "/proxy/songs/s1/hybrid.json": analysis,
    "/proxy/music/lighting/s1/lighting.json": plan,
    "/followspot.music.v1.MusicService/GetSong": { song: { title: "Glass Harbour", artist: "Mira Falk" } },
  };
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("WebSocket", DeafSocket);
  vi.stubGlobal("ResizeObserver", NoObserver);
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  sent = {};
  vi.stubGlobal("fetch", (url: string, init?: { body?: Uint8Array<ArrayBuffer> }) => {
    const path = new URL(url, location.origin).pathname;
    if (init?.body) sent[path] = JSON.parse(new TextDecoder().decode(init.body));
    const listed = answers[path];
    const answer: unknown = typeof listed === "function" ? listed() : listed;
    if (answer instanceof Response) return Promise.resolve(answer.clone());
    return Promise.resolve(Response.json(answer ?? {}, { status: answer ? 200 : 404 }));
  });
  vi.spyOn(HTMLMediaElement.prototype, "pause").mockImplementation(() => undefined);
  vi.spyOn(HTMLMediaElement.prototype, "load").mockImplementation(() => undefined);
  vi.stubGlobal("scrollTo", () => undefined);
  vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(() => Promise.resolve());
});

afterEach(() => {
  unmount?.();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function show(songId: string, roles: readonly string[] = ["Admin"]): Promise<HTMLElement> {
  const root = createRootRoute();
  const page = createRoute({
    getParentRoute: () => root,
    path: "/",
    component: () => <VisualizerPage songId={songId} />,
  });
  const router = createRouter({ routeTree: root.addChildren([page]), history: createMemoryHistory() });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const place = document.body.appendChild(document.createElement("div"));
  const tree = createRoot(place);
  unmount = () => {
    act(() => tree.unmount());
    place.remove();
  };
  await act(async () => {
    await router.load();
    tree.render(
      <QueryClientProvider client={queries}>
        <RpcProvider>
          <CurrentUser value={{ id: "u1", name: "Ada", email: "", phone: "", roles }}>
            {/* The test's own router is not the console's registered one. */}
            <RouterProvider router={router as never} />
            <Toasts />
          </CurrentUser>
        </RpcProvider>
      </QueryClientProvider>,
    );
  });
  await eventually(() => expect(place.textContent).not.toContain("Loading"));
  return place;
}

const overtaken = () =>
  Response.json({ code: "aborted", message: "Another person corrected this song meanwhile." }, { status: 409 });

const named = (place: HTMLElement, name: string): HTMLElement | null => place.querySelector(`[aria-label="${name}"]`);

const button = (place: HTMLElement, text: string): HTMLButtonElement =>
  [...place.querySelectorAll("button")].find((each) => each.textContent?.trim() === text)!;

const dropButton = (place: HTMLElement): HTMLElement => place.querySelector<HTMLElement>("button.vz-drop")!;

describe("VisualizerPage", () => {
  it("reports a missing song ID", async () => {
    expect((await show("")).textContent).toContain("Error loading visualizer: No song ID provided");
  });

  it("shows that it loads until the first response arrives", async () => {
    const answer = fetch;
    let letGo = () => {};
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    vi.stubGlobal("fetch", async (...words: Parameters<typeof fetch>) => {
      await gate;
      return answer(...words);
    });
    const shown = show("s1");
    await expect.poll(() => document.querySelector("[role=status]")?.textContent).toBe("Loading visualizer data...");
    letGo();
    expect((await shown).textContent).not.toContain("Loading");
  });

  it("reports a missing analysis", async () => {
    delete answers["/proxy/songs/s1/hybrid.json"];
    expect((await show("s1")).textContent).toContain("Error loading visualizer: Failed to load analysis data");
  });

  it("rejects an analysis with an invalid format", async () => {
    answers["/proxy/songs/s1/hybrid.json"] = { ...analysis, beats: "many" };
    expect((await show("s1")).textContent).toContain("Error loading visualizer: Failed to load analysis data");
  });

  it("renders the song if only the plan is missing", async () => {
    delete answers["/proxy/music/lighting/s1/lighting.json"];
    const place = await show("s1");
    expect(place.querySelector("[role=alert]")?.textContent).toContain("Failed to load lighting plan");
    expect(place.textContent).toContain("120.0 BPM");
    expect(place.textContent).toContain("No active patterns");
  });

  it("shows the active cues with their reasons, and labels the demo rig", async () => {
    const place = await show("s1");
    expect(place.querySelector("h1")?.textContent).toBe("Glass Harbour");
    expect(place.querySelector("aside li h3")?.textContent).toBe("Wash · slow wave");
    expect(place.textContent).toContain("the verse is calm");
    expect(place.textContent).toContain("Demo rig: the lights could not be read");
    expect(place.textContent).toContain("Preview: the same frames the lamps get");
    expect(dropButton(place).textContent).toBe("drop 0.96 at 00:30");
  });

  it("shows the time, the active cues with their colors, and the data of the song", async () => {
    const place = await show("s1");
    expect(place.querySelector("[aria-label=Playback] p")?.textContent).toBe("00:00 / 01:00");
    for (const name of ["Play", "Zoom in", "Zoom out"]) expect(named(place, name)).not.toBeNull();
    const sections = [...place.querySelectorAll("aside section")];
    const info = sections.find((each) => each.querySelector("h2")?.textContent === "Song Info")?.textContent;
    expect(info).toContain("Duration01:00");
    expect(info).toContain("120.0 BPM");
    expect(info).toContain("F# minor");
    expect(info).toContain(`Beats${analysis.beats.length}`);
    expect(info).toMatch(/Segments1(?!\d)/);
    const patterns = sections.find((each) => each.querySelector("h2")?.textContent === "Current Patterns")!;
    expect(patterns.querySelector("[role=img]")?.getAttribute("aria-label")).toContain("#ff0000, #0000ff");
  });

  it("draws curves, bands, sections, drops and a block for each cue", async () => {
    const voice = { presence: { hop_seconds: 1, values: Array.from({ length: 60 }, () => 0.8) }, mean_presence: 0.8 };
    answers["/proxy/songs/s1/hybrid.json"] = { ...analysis, vocals: voice };
    const place = await show("s1");
    const timeline = named(place, "Timeline")!;
    const bands = ["bass", "low_mid", "mid", "high_mid", "high"].map((band) => `vz-band-${band}`);
    for (const line of ["vz-vocals", "vz-tempo", "vz-energy", ...bands])
      expect([line, timeline.querySelector(`svg path.${line}`)?.getAttribute("d")]).toEqual([line, expect.stringMatching(/^M/)]); // prettier-ignore
    expect(timeline.querySelector(".vz-section-verse text")?.textContent).toBe("verse");
    expect(timeline.querySelector("svg .vz-block rect.vz-fill")).not.toBeNull();
    expect(dropButton(place)).not.toBeNull();
  });

  it("describes active cues in words, with their numbers on request", async () => {
    const card = (await show("s1")).querySelector("aside li")!;
    expect(card.querySelector("p")!.textContent).toBe("light bright · from the left, 4 bars");
    const numbers = card.querySelector("details")!;
    expect([numbers.open, numbers.textContent]).toEqual([false, "Numberslevel 0.8step beats 4"]);
  });

  it("plays and pauses with the button and the space bar", async () => {
    const place = await show("s1");
    await act(async () => named(place, "Play")!.click());
    expect(named(place, "Pause")).not.toBeNull();
    await act(async () => dispatchEvent(new KeyboardEvent("keydown", { key: " ", cancelable: true })));
    expect(named(place, "Play")).not.toBeNull();
  });

  it("toggles the click with its key", async () => {
    const stop = vi.fn(() => Promise.resolve());
    const gain = { gain: { value: 1 }, connect: () => undefined };
    vi.stubGlobal(
      "AudioContext",
      class {
        createGain = () => gain;
        resume = () => Promise.resolve();
        close = stop;
      },
    );
    const place = await show("s1");
    const press = () => act(async () => void dispatchEvent(new KeyboardEvent("keydown", { key: "c" })));
    await press();
    expect(named(place, "Click on beats")?.getAttribute("aria-pressed")).toBe("true");
    await press();
    expect(named(place, "Click on beats")?.getAttribute("aria-pressed")).toBe("false");
    expect(stop).toHaveBeenCalledOnce();
  });

  // kept: Console | A browser that keeps nothing broke the click's volume and the choice of a microphone | failed with
  // the fault put back
  it("works in a browser without storage", async () => {
    for (const way of ["getItem", "setItem"] as const)
      vi.spyOn(Storage.prototype, way).mockImplementation(() => {
        throw new DOMException("denied", "SecurityError");
      });
    const place = await show("s1");
    const volume = () => named(place, "Click volume") as HTMLInputElement;
    expect(volume().value).toBe("0.6");
    await act(async () => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(volume(), "0.3");
      volume().dispatchEvent(new Event("input", { bubbles: true }));
    });
    expect(volume().value).toBe("0.3");
    vi.restoreAllMocks();
  });

  it("previews a correction, undoes it, and saves it with its revision", async () => {
    const heard = { ...analysis, grid: { ...analysis.grid, confidence: 0.3 } };
    answers["/proxy/songs/s1/hybrid.json"] = heard;
    answers["/proxy/songs/s1/heard.json"] = heard;
    answers[`${MUSIC}/GetSongCorrections`] = {};
    answers[`${MUSIC}/SaveSongCorrections`] = { revision: 1 };
    const place = await show("s1");
    expect(place.textContent).toContain("The beats are uncertain.");
    await act(async () => button(place, "Correct").click());
    await eventually(() => expect(place.textContent).toContain("Nothing is corrected"));
    expect(button(place, "Save").disabled).toBe(true);

    await act(async () => button(place, "×2 twice as fast").click());
    expect(place.textContent).toContain("240.0 BPM");
    expect(place.textContent).toContain("set by hand 1.00");
    expect(place.textContent).toContain("Unsaved changes, shown here only");
    await act(async () => void dispatchEvent(new KeyboardEvent("keydown", { key: "z", ctrlKey: true })));
    expect(place.textContent).toContain("120.0 BPM");
    await act(async () => named(place, "Redo")!.click());
    const planning = { title: "Glass Harbour", lightingStatus: "processing", step: "lighting", percent: 40 };
    answers[`${MUSIC}/GetSong`] = { song: planning };
    await act(async () => button(place, "Save").click());
    await eventually(() => expect(place.textContent).toContain("Saved. Re-planning… 40 %"));
    expect(sent[`${MUSIC}/SaveSongCorrections`]).toMatchObject({ songId: "s1" });
  });

  it("reports corrections that cannot be loaded or conflict with another user's", async () => {
    const place = await show("s1");
    await act(async () => button(place, "Correct").click());
    await eventually(() => expect(place.textContent).toContain("The corrections could not be loaded"));
    answers["/proxy/songs/s1/heard.json"] = analysis;
    answers[`${MUSIC}/GetSongCorrections`] = {};
    await act(async () => button(place, "Retry").click());
    await eventually(() => expect(place.textContent).toContain("Nothing is corrected"));
    answers[`${MUSIC}/SaveSongCorrections`] = overtaken();
    await act(async () => button(place, "Later → by one beat").click());
    await act(async () => button(place, "Save").click());
    await eventually(() => expect(place.textContent).toContain("Load theirs"));
    expect(place.textContent).toContain("Unsaved changes, shown here only");
  });

  /** Renders a song with its corrections open and no edits yet. */
  async function correcting(): Promise<HTMLElement> {
    answers["/proxy/songs/s1/heard.json"] = analysis;
    answers[`${MUSIC}/GetSongCorrections`] = {};
    const place = await show("s1");
    await act(async () => button(place, "Correct").click());
    await eventually(() => expect(place.textContent).toContain("First beat of the bar"));
    return place;
  }
  const press = (on: EventTarget, init: KeyboardEventInit) =>
    act(async () => void on.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init })));

  it("keeps unsaved corrections if the other user's cannot be loaded", async () => {
    const place = await correcting();
    answers[`${MUSIC}/SaveSongCorrections`] = overtaken();
    await act(async () => button(place, "×2 twice as fast").click());
    await act(async () => button(place, "Save").click());
    await eventually(() => expect(place.textContent).toContain("Not saved. Another person"));

    delete answers[`${MUSIC}/GetSongCorrections`];
    await act(async () => button(place, "Load theirs").click());
    await eventually(() => expect(place.textContent).toContain("Theirs could not be loaded."));
    expect(place.textContent).toContain("240.0 BPM");

    answers[`${MUSIC}/GetSongCorrections`] = { revision: 3 };
    await act(async () => button(place, "Load theirs").click());
    await eventually(() => expect(place.textContent).toContain("Nothing is corrected"));
    expect(place.textContent).toContain("120.0 BPM");
    expect(document.activeElement?.textContent).toBe("Correct");
  });

  it("saves on top of its own earlier save whose response was lost", async () => {
    const place = await correcting();
    const save = `${MUSIC}/SaveSongCorrections`;
    answers[save] = () => {
      const { correctionsJson } = sent[save] as { correctionsJson: string };
      answers[`${MUSIC}/GetSongCorrections`] = { correctionsJson, revision: 1 };
      return new Response("", { status: 502 });
    };
    await act(async () => button(place, "×2 twice as fast").click());
    await act(async () => button(place, "Save").click());
    await eventually(() => expect(place.textContent).toContain("Not saved. HTTP 502."));

    answers[save] = () => {
      const { revision = 0 } = sent[save] as { revision?: number };
      return revision === 1 ? { revision: 2 } : overtaken();
    };
    await act(async () => button(place, "Later → by one beat").click());
    await act(async () => button(place, "Save").click());
    await eventually(() => expect(place.textContent).toContain("Saved."));
    expect(place.textContent).not.toContain("Another person");
  });

  it("removes the message of a failed save with the last unsaved change", async () => {
    const place = await correcting();
    answers[`${MUSIC}/SaveSongCorrections`] = new Response("", { status: 503 });
    await act(async () => button(place, "×2 twice as fast").click());
    await act(async () => button(place, "Save").click());
    await eventually(() => expect(place.textContent).toContain("Not saved. HTTP 503."));
    await act(async () => named(place, "Undo: tempo ×2")!.click());
    expect(place.textContent).not.toContain("Not saved");
  });

  it("undoes a new label while its list has the focus", async () => {
    const place = await correcting();
    const list = named(place, "Label of section 1") as HTMLSelectElement;
    list.value = "bridge";
    await act(async () => void list.dispatchEvent(new Event("change", { bubbles: true })));
    expect(named(place, "Undo: renamed to bridge")).not.toBeNull();
    await press(list, { key: "z", ctrlKey: true });
    expect(list.value).toBe("verse");
  });

  it("rejects a split at an edge, with a message until the sections change", async () => {
    const place = await correcting();
    await act(async () => button(place, "Split at playhead").click());
    expect(place.textContent).toContain("There is an edge here already");
    expect(button(place, "Save").disabled).toBe(true);
    await act(async () => button(place, "Later → by one beat").click());
    expect(place.textContent).not.toContain("There is an edge here already");
  });

  it("restores the focus when corrections are closed", async () => {
    const place = await correcting();
    await act(async () => named(place, "Close corrections")!.click());
    expect(document.activeElement).toBe(button(place, "Correct"));
  });

  it("rebases corrections onto a new analysis", async () => {
    const ready = { title: "Glass Harbour", analysisStatus: "ready", lightingStatus: "ready" };
    answers[`${MUSIC}/GetSong`] = { song: { ...ready, lightingStatus: "processing" } };
    const place = await correcting();
    await act(async () => button(place, "Later → by one beat").click());
    const heardAgain = { ...analysis, tempo: 119, downbeats: analysis.downbeats.map((t) => t + 0.5) };
    answers["/proxy/songs/s1/heard.json"] = heardAgain;
    answers[`${MUSIC}/GetSong`] = { song: ready };
    const isHeard = () => expect(place.textContent).toContain("119.0 BPM");
    await eventually(isHeard);
    expect(place.textContent).toContain("Your corrections of tempo and bars are kept, but not in use.");
    expect(place.textContent).toContain("Unsaved changes, shown here only");
  });

  it("reports missing beats and bars, and lists corrections by hand among the engines", async () => {
    const engines = {
      key: { engine: "followspot", version: "2.0" },
      beats: { engine: "corrected by hand", version: "1" },
    };
    const insights = { ...analysis.insights, engines };
    answers["/proxy/songs/s1/hybrid.json"] = { ...analysis, insights, beats: [], downbeats: [], tempo: 0 };
    const place = await show("s1");
    expect(place.textContent).toContain("Beatsnone foundDownbeatsnone foundBarsnone found");
    expect(place.textContent).toContain("followspot 2.0; beats: corrected by hand");
    expect(place.textContent).not.toContain("corrected by hand 1");
  });

  // kept: Shows | A song that failed did not say why | failed with the fault put back
  it("shows why a failed song has no show", async () => {
    delete answers["/proxy/songs/s1/hybrid.json"];
    const errorMessage = "This file holds no audio we can read";
    answers[`${MUSIC}/GetSong`] = { song: { title: "Glass Harbour", analysisStatus: "error", errorMessage } };
    const place = await show("s1");
    expect(place.textContent).toContain("Error loading visualizer: Failed to load analysis data");
    expect(place.textContent).toContain("The song is in error: This file holds no audio we can read");
  });

  const envelope = (topic: string, type: string, payload: object) => ({ id: "1", topic, type, ts: "", payload });
  const hear = (...heard: Parameters<typeof envelope>) => act(async () => tellListeners(envelope(...heard)));

  it("shows the progress of a song that is still processed", async () => {
    delete answers["/proxy/songs/s1/hybrid.json"];
    const song = { title: "Glass Harbour", audio: "a.mp3", analysisStatus: "processing", lightingStatus: "pending" };
    answers[`${MUSIC}/GetSong`] = { song: { ...song, step: "analysis", percent: 12 } };
    const place = await show("s1");
    expect(place.textContent).toContain("The song is not analysed yet. This page opens by itself when it is.");
    expect(place.textContent).toContain("12%");
    await hear("songs", "song.progress", { song_id: "s1", step: "analysis", progress: 0.6, note: "" });
    await eventually(() => expect(place.textContent).toContain("60%"));
  });

  // kept: Shows | The page of a song kept a plan that was replaced, and did not say that the rig is newer | failed with
  // the fault put back
  it("shows a plan that was made elsewhere without a reload", async () => {
    const place = await show("s1");
    expect(place.querySelector("aside li h3")?.textContent).toBe("Wash · slow wave");
    const [cue] = plan.event_lanes["role:wash"]!;
    answers["/proxy/music/lighting/s1/lighting.json"] = { ...plan, event_lanes: { "role:bar": [cue] } };
    await hear("songs", "song.updated", { song: { id: "another", lightingStatus: "ready" } });
    await hear("songs", "song.updated", { song: { id: "s1", lightingStatus: "ready" } });
    await eventually(() => expect(place.querySelector("aside li h3")?.textContent).toBe("Bar · slow wave"));
  });

  it("tracks the progress of a plan in percent", async () => {
    answers[`${MUSIC}/GetSong`] = {
      song: { title: "Glass Harbour", analysisStatus: "ready", lightingStatus: "ready" },
    };
    const place = await correcting();
    await hear("songs", "song.progress", { song_id: "s1", step: "lighting", progress: 0.4, note: "" });
    await eventually(() => expect(place.textContent).toContain("Re-planning… 40 %"));
  });

  /** Rig with four pars. The first one is in a group of bars, a role without cues in the plan of these tests. */
  const rigWith = (enabled: boolean) => {
    const rig = parsRig(4);
    const bars = { id: "bars", name: "Back bars", type: "bar", lightIds: [rig.lights[0]!.id], enabled };
    return { ...rig, groups: [bars] };
  };

  // kept: Shows | The page of a song kept a plan that was replaced, and did not say that the rig is newer | also
  it("reports a plan older than the rig, and requests a new plan", async () => {
    answers["/api/lights/rig"] = parsRig(4);
    answers[`${MUSIC}/RetrySong`] = {};
    const place = await show("s1");
    expect(place.textContent).not.toContain("older than the rig");
    answers["/api/lights/rig"] = rigWith(true);
    await hear("lights", "group.created", {});
    await eventually(() => expect(place.textContent).toContain("it has no cues for Bar."));
    await act(async () => button(place, "Plan again").click());
    await eventually(() => expect(sent[`${MUSIC}/RetrySong`]).toEqual({ songId: "s1", step: "lighting" }));
  });

  it("offers a Director neither planning nor saving of corrections", async () => {
    answers["/api/lights/rig"] = rigWith(true);
    answers["/proxy/songs/s1/heard.json"] = analysis;
    answers[`${MUSIC}/GetSongCorrections`] = {};
    const place = await show("s1", ["Director"]);
    expect(place.textContent).toContain("An Admin can plan it again.");
    await act(async () => button(place, "Correct").click());
    await eventually(() => expect(place.textContent).toContain("First beat of the bar"));
    await act(async () => button(place, "×2 twice as fast").click());
    expect(button(place, "Save").disabled).toBe(true);
    expect(place.textContent).toContain("Only an Admin can save them");
  });

  // kept: Shows | Lamps stayed dark for a disabled group, and nothing said so | failed with the fault put back
  it("shows which lights stay dark because their group is disabled", async () => {
    answers["/api/lights/rig"] = rigWith(false);
    expect((await show("s1")).textContent).toContain("1 light stays dark: Back bars is disabled");
  });

  // kept: Shows | Loop and zoom did nothing at their ends, and said nothing | failed with the fault put back
  it("reports that no section has started, instead of fitting or looping nothing", async () => {
    const sections = [{ ...analysis.structure.sections[0]!, start: 3 }];
    answers["/proxy/songs/s1/hybrid.json"] = { ...analysis, structure: { sections } };
    const place = await show("s1");
    await act(async () => button(place, "Loop section").click());
    await eventually(() => expect(document.body.textContent).toContain("No section begins before 00:03"));
    expect(button(place, "Loop section").getAttribute("aria-pressed")).toBe("false");
  });

  it("sets a loop's edges at the playhead with keys, announces the loop, and ends it with Escape", async () => {
    const place = await show("s1");
    await act(async () => dropButton(place).click());
    const loop = () => button(place, "Loop section").getAttribute("aria-pressed");
    await press(window, { key: "[" });
    expect(place.textContent).toContain("Loops from 00:30 to 01:00");
    await press(window, { key: "ArrowRight" });
    await press(window, { key: "]" });
    expect(place.textContent).toContain("Loops from 00:30 to 00:35");
    await press(window, { key: "Escape" });
    expect(loop()).toBe("false");
  });

  // kept: Console | The visualizer called a song untitled whose title was not read | failed with the fault put back
  it("calls a song untitled only once its title is known to be empty", async () => {
    delete answers[`${MUSIC}/GetSong`];
    const place = await show("s1");
    expect(place.querySelector("h1")?.textContent).toBe("Song");
    unmount?.();
    answers[`${MUSIC}/GetSong`] = { song: { title: "" } };
    const again = await show("s1");
    await eventually(() => expect(again.querySelector("h1")?.textContent).toBe("Untitled song"));
  });

  // kept: Console | No key led to the search of cues, which stood folded below the timeline | failed with the fault put back
  it("opens the cue search with /, and seeks to the first result with Enter", async () => {
    const [cue] = plan.event_lanes["role:wash"]!;
    answers["/proxy/music/lighting/s1/lighting.json"] = {
      ...plan,
      event_lanes: { "role:wash": [{ ...cue, time: 20 }] },
    };
    const place = await show("s1");
    await press(window, { key: "/" });
    const field = named(place, "Find cues")!;
    expect(document.activeElement).toBe(field);
    // Submits the form like Enter does.
    await act(async () => field.closest("form")!.requestSubmit());
    await eventually(() => expect(place.textContent).toContain("00:20 / 01:00"));
  });

  // kept: Console | No key of the visualizer led to a drop | failed with the fault put back
  it("seeks to the next drop with D, and to the previous one with Shift+D", async () => {
    const drop_predictions = [10, 40].map((time) => ({ ...analysis.drop_predictions[0]!, time }));
    answers["/proxy/songs/s1/hybrid.json"] = { ...analysis, drop_predictions };
    const place = await show("s1");
    for (const [key, shiftKey, shown] of [
      ["d", false, "00:10"],
      ["d", false, "00:40"],
      ["D", true, "00:10"],
    ] as const) {
      await press(window, { key, shiftKey });
      await eventually(() => expect(place.textContent).toContain(`${shown} / 01:00`));
    }
  });

  it("loops a section after a double click", async () => {
    const sections = [0, 20, 40].map((start) => ({ ...analysis.structure.sections[0]!, start, end: start + 20 }));
    answers["/proxy/songs/s1/hybrid.json"] = { ...analysis, structure: { sections } };
    const place = await show("s1");
    const timeline = named(place, "Timeline")!;
    const at = { bubbles: true, clientX: 100 + 25 * 100, clientY: 12 };
    await act(async () => void timeline.dispatchEvent(new MouseEvent("dblclick", at)));
    expect(place.textContent).toContain("Loops from 00:20 to 00:40");
  });

  it("plays at half and quarter speed, one at a time", async () => {
    const place = await show("s1");
    const [half, quarter] = [named(place, "½× speed")!, named(place, "¼× speed")!];
    const pressed = () => [half, quarter].map((each) => each.getAttribute("aria-pressed"));
    await act(async () => half.click());
    await act(async () => quarter.click());
    expect(pressed()).toEqual(["false", "true"]);
    expect(place.querySelector("audio")!.playbackRate).toBe(0.25);
    await act(async () => quarter.click());
    expect(pressed()).toEqual(["false", "false"]);
  });

  // kept: Shows | Loop and zoom did nothing at their ends, and said nothing | also
  it("disables the zoom buttons at the limits of the zoom", async () => {
    const place = await show("s1");
    for (let press = 0; press < 4; press++) await act(async () => named(place, "Zoom in")!.click());
    expect((named(place, "Zoom in") as HTMLButtonElement).disabled).toBe(true);
    await act(async () => named(place, "Fit whole song")!.click());
    expect((named(place, "Zoom out") as HTMLButtonElement).disabled).toBe(true);
  });

  it("releases the stage when the page is closed", async () => {
    const close = vi.spyOn(DeafSocket.prototype, "close");
    await show("s1");
    expect(close).not.toHaveBeenCalled();
    dispatchEvent(new Event("pagehide"));
    expect(close).toHaveBeenCalledOnce();
  });

  it("exports the section at the playhead as a film with progress, download and cancel", async () => {
    const film = { id: "f1", songId: "s1", title: "Glass Harbour", from: 0, to: 30, type: "mp4", state: "making", progress: 0.4 }; // prettier-ignore
    let films: object[] = [];
    answers[`${MUSIC}/ListFilms`] = () => ({ films, noStage: "There is no Chromium." });
    answers[`${MUSIC}/StartFilm`] = () => ((films = [film]), { film });
    answers[`${MUSIC}/CancelFilm`] = () => ((films = []), { films });
    const place = await show("s1");
    await act(async () => named(place, "Export film")!.click());
    const dialog = document.querySelector<HTMLElement>("[role=dialog]")!;
    await eventually(() => expect(button(dialog, "Make film").disabled).toBe(false));
    expect(dialog.textContent).toContain("There is no Chromium.");
    await act(async () => button(dialog, "Make film").click());
    await eventually(() => expect(dialog.textContent).toContain("40 %"));
    expect(sent[`${MUSIC}/StartFilm`]).toMatchObject({ songId: "s1", type: "mp4", look: "flat", sound: true });
    films = [{ ...film, state: "ready", progress: 1, url: "/api/films/f1" }];
    await eventually(() => expect(dialog.querySelector("a[download]")?.getAttribute("href")).toBe("/api/films/f1"));
    await act(async () => button(dialog, "Remove").click());
    await eventually(() => expect(dialog.textContent).toContain("None yet."));
    expect(sent[`${MUSIC}/CancelFilm`]).toEqual({ filmId: "f1" });
  });

  it("seeks to a drop when it is clicked", async () => {
    const place = await show("s1");
    await act(async () => {
      dropButton(place).click();
      await new Promise(requestAnimationFrame);
    });
    expect(place.querySelector("[aria-label=Playback] p")?.textContent).toBe("00:30 / 01:00");
    expect(place.textContent).toContain("No active patterns");
  });
});
