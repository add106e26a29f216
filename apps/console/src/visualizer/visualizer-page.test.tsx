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
import { VisualizerPage } from "./visualizer-page.tsx";

const curve = { hop_seconds: 0.5, values: Array.from({ length: 120 }, (_, i) => (i % 4) / 4) };

const analysis: SongAnalysis = {
  version: 1,
  song_id: "s1",
  duration: 60,
  tempo: 120,
  key: "F# minor",
  beats: Array.from({ length: 120 }, (_, i) => i * 0.5),
  downbeats: Array.from({ length: 30 }, (_, i) => i * 2),
  offbeats: [],
  grid: {
    beats_per_bar: 4,
    tempo_curve_bpm: [{ time: 0, bpm: 120 }],
    confidence: 1,
    downbeat_confidence: 1,
    stable: true,
    swing: 0.5,
  },
  stems: { drums: "", bass: "", vocals: "", other: "" },
  dynamics: {
    energy_curve: curve,
    frequency_bands: { bass: curve, low_mid: curve, mid: curve, high_mid: curve, high: curve },
    loudness: -9,
  },
  waveform: curve,
  vocals: { presence: curve, mean_presence: 0.4 },
  structure: { sections: [{ start: 0, end: 60, label: "verse", energy: 0.5, intensity: 0.5, confidence: 1 }] },
  drop_predictions: [{ time: 30, confidence: 0.96, type: "drop", energy: 1 }],
  insights: {
    genre_analysis: { primary_genre: "", sub_genres: [], confidence: 0, characteristics: {} },
    instrument_detection: { instruments: [], confidence: 0 },
    key_info: { key: "F#", mode: "minor", confidence: 1 },
    tempo_info: { bpm: 120, confidence: 1, stable: true },
    pattern_reasoning: {},
    warnings: [],
    engines: {},
  },
};

const plan: LightingPlan = {
  version: 1,
  song_id: "s1",
  duration: 60,
  seed: 1,
  palette: ["#ff0000"],
  beats: analysis.beats,
  downbeats: analysis.downbeats,
  curves: { hop_seconds: 0.1, bass: [], mid: [], high: [], energy: [] },
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
  safety: { max_flashes_per_second: 2, limited_share: 0, strobe_share: 0, profile: "default" },
};

/** Path → JSON answer, or what makes it; anything else is 404. */
let answers: Record<string, unknown>;
/** Path → the last body sent there. */
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
  vi.stubGlobal("fetch", (path: string, init?: { body?: string }) => {
    if (init?.body) sent[path] = JSON.parse(init.body);
    const listed = answers[path];
    const answer: unknown = typeof listed === "function" ? listed() : listed;
    if (answer instanceof Response) return Promise.resolve(answer.clone());
    return Promise.resolve(new Response(JSON.stringify(answer ?? {}), { status: answer ? 200 : 404 }));
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

async function show(songId: string): Promise<HTMLElement> {
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
        {/* The test's own router is not the console's registered one. */}
        <RouterProvider router={router as never} />
      </QueryClientProvider>,
    );
  });
  await vi.waitFor(() => act(async () => expect(place.textContent).not.toContain("Loading")));
  return place;
}

const named = (place: HTMLElement, name: string): HTMLElement | null => place.querySelector(`[aria-label="${name}"]`);

const button = (place: HTMLElement, text: string): HTMLButtonElement =>
  [...place.querySelectorAll("button")].find((each) => each.textContent?.trim() === text)!;

const dropButton = (place: HTMLElement): HTMLElement => place.querySelector<HTMLElement>("button.vz-drop")!;

describe("VisualizerPage", () => {
  it("says that no song was named", async () => {
    expect((await show("")).textContent).toContain("Error loading visualizer: No song ID provided");
  });

  it("says that the analysis is missing", async () => {
    delete answers["/proxy/songs/s1/hybrid.json"];
    expect((await show("s1")).textContent).toContain("Error loading visualizer: Failed to load analysis data");
  });

  it("refuses an analysis of another shape", async () => {
    answers["/proxy/songs/s1/hybrid.json"] = { ...analysis, beats: "many" };
    expect((await show("s1")).textContent).toContain("Error loading visualizer: Failed to load analysis data");
  });

  it("draws the song when only the plan is missing", async () => {
    delete answers["/proxy/music/lighting/s1/lighting.json"];
    const place = await show("s1");
    expect(place.querySelector("[role=alert]")?.textContent).toContain("Failed to load lighting plan");
    expect(place.textContent).toContain("120.0 BPM");
    expect(place.textContent).toContain("No active patterns");
  });

  it("shows what plays, on what it is based, and that the rig is a demo", async () => {
    const place = await show("s1");
    expect(place.querySelector("h1")?.textContent).toBe("Glass Harbour");
    expect(place.querySelector(".vz-pattern h3")?.textContent).toBe("Wash · slow wave");
    expect(place.textContent).toContain("the verse is calm");
    expect(place.textContent).toContain("Demo rig: no lights patched yet");
    expect(place.textContent).toContain("Preview: the same frames the lamps get");
    expect(dropButton(place).textContent).toBe("drop 0.96 at 00:30");
  });

  it("plays and pauses with the button and the space bar", async () => {
    const place = await show("s1");
    await act(async () => named(place, "Play")!.click());
    expect(named(place, "Pause")).not.toBeNull();
    await act(async () => dispatchEvent(new KeyboardEvent("keydown", { key: " ", cancelable: true })));
    expect(named(place, "Play")).not.toBeNull();
  });

  it("clicks on and off with its key", async () => {
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

  it("shows a correction before it is saved, takes it back, and saves it on its revision", async () => {
    const heard = { ...analysis, grid: { ...analysis.grid, confidence: 0.3 } };
    answers["/proxy/songs/s1/hybrid.json"] = heard;
    answers["/proxy/songs/s1/heard.json"] = heard;
    answers[`${MUSIC}/GetSongCorrections`] = {};
    answers[`${MUSIC}/SaveSongCorrections`] = { revision: 1 };
    const place = await show("s1");
    expect(place.textContent).toContain("The beats are uncertain.");
    await act(async () => button(place, "Correct").click());
    await vi.waitFor(() => act(async () => expect(place.textContent).toContain("Nothing is corrected")));
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
    await vi.waitFor(() => act(async () => expect(place.textContent).toContain("Saved. Re-planning… 40 %")));
    expect(sent[`${MUSIC}/SaveSongCorrections`]).toMatchObject({ song_id: "s1", revision: 0 });
  });

  it("says when the corrections cannot be loaded, or were made by somebody else meanwhile", async () => {
    const place = await show("s1");
    await act(async () => button(place, "Correct").click());
    await vi.waitFor(() => act(async () => expect(place.textContent).toContain("The corrections could not be loaded")));
    answers["/proxy/songs/s1/heard.json"] = analysis;
    answers[`${MUSIC}/GetSongCorrections`] = {};
    await act(async () => button(place, "Retry").click());
    await vi.waitFor(() => act(async () => expect(place.textContent).toContain("Nothing is corrected")));
    answers[`${MUSIC}/SaveSongCorrections`] = new Response(
      JSON.stringify({ code: "aborted", message: "Somebody else corrected this song meanwhile." }),
      { status: 409 },
    );
    await act(async () => button(place, "Later → by one beat").click());
    await act(async () => button(place, "Save").click());
    await vi.waitFor(() => act(async () => expect(place.textContent).toContain("Load theirs")));
    expect(place.textContent).toContain("Unsaved changes, shown here only");
  });

  /** The song with its corrections open, nothing corrected yet. */
  async function correcting(): Promise<HTMLElement> {
    answers["/proxy/songs/s1/heard.json"] = analysis;
    answers[`${MUSIC}/GetSongCorrections`] = {};
    const place = await show("s1");
    await act(async () => button(place, "Correct").click());
    await vi.waitFor(() => act(async () => expect(place.textContent).toContain("First beat of the bar")));
    return place;
  }
  const press = (on: EventTarget, init: KeyboardEventInit) =>
    act(async () => void on.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init })));

  it("keeps unsaved corrections when those of somebody else cannot be loaded", async () => {
    const place = await correcting();
    const overtaken = JSON.stringify({ code: "aborted", message: "Somebody else corrected this song meanwhile." });
    answers[`${MUSIC}/SaveSongCorrections`] = new Response(overtaken, { status: 409 });
    await act(async () => button(place, "×2 twice as fast").click());
    await act(async () => button(place, "Save").click());
    await vi.waitFor(() => act(async () => expect(place.textContent).toContain("Not saved. Somebody else")));

    delete answers[`${MUSIC}/GetSongCorrections`];
    await act(async () => button(place, "Load theirs").click());
    await vi.waitFor(() => act(async () => expect(place.textContent).toContain("Theirs could not be loaded.")));
    expect(place.textContent).toContain("240.0 BPM");

    answers[`${MUSIC}/GetSongCorrections`] = { revision: 3 };
    await act(async () => button(place, "Load theirs").click());
    await vi.waitFor(() => act(async () => expect(place.textContent).toContain("Nothing is corrected")));
    expect(place.textContent).toContain("120.0 BPM");
    expect(document.activeElement?.textContent).toBe("Correct");
  });

  it("saves on top of a save of its own whose answer was lost", async () => {
    const place = await correcting();
    const save = `${MUSIC}/SaveSongCorrections`;
    answers[save] = () => {
      const { corrections_json } = sent[save] as { corrections_json: string };
      answers[`${MUSIC}/GetSongCorrections`] = { correctionsJson: corrections_json, revision: 1 };
      return new Response("", { status: 502 });
    };
    await act(async () => button(place, "×2 twice as fast").click());
    await act(async () => button(place, "Save").click());
    await vi.waitFor(() => act(async () => expect(place.textContent).toContain("Not saved. HTTP 502.")));

    answers[save] = () => {
      const { revision } = sent[save] as { revision: number };
      const refusal = JSON.stringify({ code: "aborted", message: "Somebody else corrected this song meanwhile." });
      return revision === 1 ? { revision: 2 } : new Response(refusal, { status: 409 });
    };
    await act(async () => button(place, "Later → by one beat").click());
    await act(async () => button(place, "Save").click());
    await vi.waitFor(() => act(async () => expect(place.textContent).toContain("Saved.")));
    expect(place.textContent).not.toContain("Somebody else");
  });

  it("takes a failed save's message away with the last unsaved change", async () => {
    const place = await correcting();
    answers[`${MUSIC}/SaveSongCorrections`] = new Response("", { status: 503 });
    await act(async () => button(place, "×2 twice as fast").click());
    await act(async () => button(place, "Save").click());
    await vi.waitFor(() => act(async () => expect(place.textContent).toContain("Not saved. HTTP 503.")));
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

  it("refuses to split at an edge, and says so until the sections change", async () => {
    const place = await correcting();
    await act(async () => button(place, "Split at playhead").click());
    expect(place.textContent).toContain("There is an edge here already");
    expect(button(place, "Save").disabled).toBe(true);
    await act(async () => button(place, "Later → by one beat").click());
    expect(place.textContent).not.toContain("There is an edge here already");
  });

  it("gives the focus back when corrections are closed", async () => {
    const place = await correcting();
    await act(async () => named(place, "Close corrections")!.click());
    expect(document.activeElement).toBe(button(place, "Correct"));
  });

  it("puts corrections on what a new analysis heard meanwhile", async () => {
    const ready = { title: "Glass Harbour", analysisStatus: "ready", lightingStatus: "ready" };
    answers[`${MUSIC}/GetSong`] = { song: { ...ready, lightingStatus: "processing" } };
    const place = await correcting();
    await act(async () => button(place, "Later → by one beat").click());
    const heardAgain = { ...analysis, tempo: 119, downbeats: analysis.downbeats.map((t) => t + 0.5) };
    answers["/proxy/songs/s1/heard.json"] = heardAgain;
    answers[`${MUSIC}/GetSong`] = { song: ready };
    const isHeard = () => expect(place.textContent).toContain("119.0 BPM");
    await vi.waitFor(() => act(async () => isHeard()), { timeout: 5000 });
    expect(place.textContent).toContain("Your corrections of tempo and bars are kept, but not in use.");
    expect(place.textContent).toContain("Unsaved changes, shown here only");
  });

  it("claims neither beats nor bars of a song without them, and names who set them by hand", async () => {
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

  it("lets go of the stage when the page is left", async () => {
    const close = vi.spyOn(DeafSocket.prototype, "close");
    await show("s1");
    expect(close).not.toHaveBeenCalled();
    dispatchEvent(new Event("pagehide"));
    expect(close).toHaveBeenCalledOnce();
  });

  it("goes to a drop when it is clicked", async () => {
    const place = await show("s1");
    await act(async () => {
      dropButton(place).click();
      await new Promise(requestAnimationFrame);
    });
    expect(place.querySelector(".vz-time")?.textContent).toBe("00:30 / 01:00");
    expect(place.textContent).toContain("No active patterns");
  });
});
