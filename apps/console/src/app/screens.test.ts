import { expect, test } from "vitest";
import { screenAt } from "./screens.ts";

const ADDRESSES: readonly (readonly [string, string | undefined])[] = [
  ["/admin", "dashboard"],
  ["/admin/", "dashboard"],
  ["/admin/users", "users"],
  ["/admin/users/", "users"],
  ["/admin/events/01ARZ3NDEKTSV4RRFFQ69G5FAV/talks", "talks"],
  ["/admin/events", "events"],
  ["/admin/music", "music"],
  ["/admin/lights", "lights"],
  ["/admin/workers", "workers"],
  ["/admin/docs", "docs"],
  ["/admin/music/playlists", "playlists"],
  ["/admin/music/playlists/01ARZ3NDEKTSV4RRFFQ69G5FAV/setlist", "setlist"],
  ["/admin/music/01ARZ3NDEKTSV4RRFFQ69G5FAV/visualizer", "visualizer"],
  ["/admin/music/visualizer", "songless"],
  ["/admin/events/01ARZ3NDEKTSV4RRFFQ69G5FAV", undefined],
  ["/admin/nowhere", undefined],
];

test.each(ADDRESSES)("the screen at %s is known by its address: %s", (address, name) => {
  expect(screenAt(address)).toBe(name);
});
