// @vitest-environment jsdom
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { MusicService, SongSchema } from "@followspot/contract/music";
import { act } from "react";
import { expect, test } from "vitest";
import { eventually, press, show } from "../testing/show.tsx";
import { Toasts } from "../ui/toast.tsx";
import { PaletteDialog } from "./palette-dialog.tsx";

const song = create(SongSchema, { id: "s1", title: "First Light" });
const led = (paletteId: string, name: string, matchScore: number) => ({
  paletteId,
  name,
  matchScore,
  diversityScore: 0.5,
  colors: ["#ff0000", "#00ff00"],
});

/** A server that stores the selected palette. */
function paletteServer({ selected = "automatic", refuse = false, pending = false } = {}) {
  const asked: string[] = [];
  const state = { selected, harmony: "complementary" };
  const palette = () => ({
    extractedColors: ["#c02020"],
    harmonyColors: ["#ff0000", "#00ffff"],
    harmonyType: state.harmony,
    ledMatches: [led("reef", "Reef", 0.92), led("ember", "Ember", 0.8)],
    selectedPaletteId: state.selected,
    aiKeyColors: ["#00ff00"],
    musicalKey: "A minor",
    source: "cover",
  });
  const routes = (router: ConnectRouter) => {
    router.service(MusicService, {
      getSongColorPalette: () =>
        pending ? { status: "pending", message: "Not yet" } : { palette: palette(), status: "ready" },
      getLEDPaletteAlternatives: ({ limit }) => ({
        alternatives: [led("neon", "Neon", 0.3), led("reef", "Reef", 0.92)].slice(0, limit),
      }),
      selectLEDPalette: ({ paletteId }) => {
        asked.push(paletteId);
        if (refuse) throw new ConnectError("the song was deleted", Code.NotFound);
        state.selected = paletteId;
        return { success: true };
      },
      regenerateColorPalette: ({ harmonyType }) => {
        state.harmony = harmonyType;
        return {};
      },
    });
  };
  return { asked, routes };
}

const open = (server: ReturnType<typeof paletteServer>, roles = ["Admin"]) =>
  show(
    <>
      <PaletteDialog song={song} onClose={() => undefined} />
      <Toasts />
    </>,
    { routes: server.routes, roles },
  );
const radio = (name: string) =>
  [...document.querySelectorAll<HTMLLabelElement>("label")]
    .find((label) => label.textContent?.startsWith(name))
    ?.querySelector("input");
const chosen = () => [...document.querySelectorAll<HTMLInputElement>("input:checked")].map((input) => input.closest("label")?.textContent); // prettier-ignore

test("shows the song's colors and the selection, each palette once", async () => {
  await open(paletteServer({ selected: "reef" }));
  await eventually(() => expect(radio("Neon")).toBeTruthy());
  expect(document.body.textContent).toContain("From its cover");
  expect(document.body.textContent).toContain("From its key, A minor");
  expect(chosen()).toEqual(["Reef92% match"]);
  expect(document.body.textContent?.match(/Reef/g)).toHaveLength(1);
});

test("a selected palette is sent, reported, and reverted by Undo", async () => {
  const server = paletteServer();
  await open(server);
  await eventually(() => expect(radio("Ember")).toBeTruthy());
  await act(async () => radio("Ember")!.click());
  await eventually(() => expect(chosen()).toEqual(["Ember80% match"]));
  expect(document.body.textContent).toContain("Planning the show again: Ember");
  await press("Undo");
  await eventually(() => expect(chosen()[0]).toMatch(/^Automatic/));
  expect(server.asked).toEqual(["ember", "automatic"]);
});

test("a refused selection shows the reason and leaves the old one checked", async () => {
  await open(paletteServer({ refuse: true }));
  await eventually(() => expect(radio("Reef")).toBeTruthy());
  await act(async () => radio("Reef")!.click());
  await eventually(() => expect(document.body.textContent).toContain("The song was deleted."));
  await eventually(() => expect(chosen()[0]).toMatch(/^Automatic/));
});

test("another harmony is sent immediately", async () => {
  await open(paletteServer());
  await eventually(() => expect(document.querySelector("select")).toBeTruthy());
  const select = document.querySelector("select")!;
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "value")?.set?.call(select, "triadic");
    select.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await eventually(() => expect(document.body.textContent).toContain("The triadic harmony"));
});

test("a song with unknown colors says when they will be known", async () => {
  await open(paletteServer({ pending: true }));
  await eventually(() => expect(document.body.textContent).toContain("Not yet"));
  expect(radio("Automatic")).toBeFalsy();
});
