// @vitest-environment jsdom
import { expect, onTestFinished, test } from "vitest";
import { show } from "../testing/show.tsx";
import { LinkPanel } from "./link-panel.tsx";

const shown = async () => {
  const place = await show(<LinkPanel path="/player#key=K" page="player" />, {});
  return { copied: place.querySelector("input")?.value, opened: place.querySelector("a")?.href };
};

// kept: Doors | Links and QR codes made at localhost opened on no other machine | failed on the old code
test("a shared link starts with the origin that the server names, but opens here at the page's origin", async () => {
  const meta = document.createElement("meta");
  meta.name = "link-address";
  meta.content = "https://night.example.org";
  document.head.append(meta);
  onTestFinished(() => meta.remove());
  expect(await shown()).toEqual({
    copied: "https://night.example.org/player#key=K",
    opened: `${window.location.origin}/player#key=K`,
  });
});

test("a link starts with the page's origin if the server names no other", async () => {
  const address = `${window.location.origin}/player#key=K`;
  expect(await shown()).toEqual({ copied: address, opened: address });
});
