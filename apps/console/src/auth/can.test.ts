import { AuthService } from "@followspot/contract/auth";
import { EventService } from "@followspot/contract/event";
import { LightsService } from "@followspot/contract/lights";
import { MusicService } from "@followspot/contract/music";
import { UserService } from "@followspot/contract/user";
import { expect, test } from "vitest";
import { may } from "./can.ts";

test("lets an Admin do everything", () => {
  const methods = [UserService, EventService, LightsService, MusicService].flatMap((service) => service.methods);
  expect(methods.filter((method) => !may(["Admin"], method))).toEqual([]);
});

// kept: Console | Buttons stood there for people who may not press them | also
test("goes by what the method's proto says", () => {
  const { saveSongCorrections, getSongCorrections, listSongs } = MusicService.method;
  expect([saveSongCorrections, getSongCorrections, listSongs].map((method) => may(["Director"], method))).toEqual([
    false,
    true,
    true,
  ]);
  expect(may(["AI"], UserService.method.createUser)).toBe(false);
});

test("lets everybody through the door", () => {
  expect(may([], AuthService.method.sendLoginCode)).toBe(true);
});

test("knows who may make the plain calls", () => {
  expect(may(["Director"], "seeQueues")).toBe(false);
  expect(may(["Director"], "playOnStage")).toBe(true);
  expect(may(["AI"], "uploadSongs")).toBe(false);
});
