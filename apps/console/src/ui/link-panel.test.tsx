// @vitest-environment jsdom
import { expect, onTestFinished, test } from "vitest";
import { show } from "../testing/show.tsx";
import { LinkPanel } from "./link-panel.tsx";

const shown = async () => {
  const place = await show(<LinkPanel path="/player#key=K" page="player" />, {});
  return { copied: place.querySelector("input")?.value, opened: place.querySelector("a")?.href };
};
/** Adds the address for links to the page, as the server does, until the test ends. */
function nameAddress(address: string): void {
  const meta = Object.assign(document.createElement("meta"), { name: "link-address", content: address });
  document.head.append(meta);
  onTestFinished(() => meta.remove());
}

// kept: Doors | Links and QR codes made at localhost opened on no other machine | failed on the old code
test("a shared link starts with the origin that the server names, but opens here at the page's origin", async () => {
  nameAddress("https://night.example.org");
  expect(await shown()).toEqual({
    copied: "https://night.example.org/player#key=K",
    opened: `${window.location.origin}/player#key=K`,
  });
});

test("a link starts with the page's origin if the server names no other", async () => {
  const address = `${window.location.origin}/player#key=K`;
  expect(await shown()).toEqual({ copied: address, opened: address });
});

// kept: Doors | Links and QR codes that open only on the server itself were shown without a warning | failed on the old code
test.each([
  ["http://localhost:3000", true],
  ["http://127.0.0.2:3000", true],
  ["http://[::1]:3000/lights", true],
  ["http://192.168.1.10:3000", false],
  ["https://night.example.org", false],
  ["https://localhost.example.org", false],
])("a link with the address %s is marked as one for this computer only: %s", async (address, isLocal) => {
  nameAddress(address);
  const place = await show(<LinkPanel path="/player" page="player" />, {});
  expect(place.textContent.includes("Only this computer can open this address.")).toBe(isLocal);
});
