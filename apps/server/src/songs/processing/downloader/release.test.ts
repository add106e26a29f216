import { expect, test } from "vitest";
import { parseSettings } from "../../../platform/settings.ts";
import { executableName } from "./release.ts";
import { ageInDays, compareVersions, isVersion, knowsRuntimes, newestFirst, releaseDay } from "./version.ts";

test.each([
  ["linux", "x64", false, "yt-dlp_linux"],
  ["linux", "x64", true, "yt-dlp_musllinux"],
  ["linux", "arm64", false, "yt-dlp_linux_aarch64"],
  ["darwin", "arm64", false, "yt-dlp_macos"],
  ["win32", "x64", false, "yt-dlp.exe"],
] as const)("the executable of %s %s (musl: %s) is %s", (platform, arch, musl, name) => {
  expect(executableName(platform, arch, musl)).toBe(name);
});

test("an error names the platform if it has no official executable", () => {
  expect(() => executableName("linux", "riscv64", false)).toThrow("has no yt-dlp for linux on riscv64");
});

test("sorts versions by date and time, newest first, and invalid ones last", () => {
  const versions = ["2026.2.1", "junk", "2026.10.26", "2026.10.26.232826", "2025.12.31"];
  expect(versions.toSorted(newestFirst)).toEqual(["2026.10.26.232826", "2026.10.26", "2026.2.1", "2025.12.31", "junk"]);
  expect(compareVersions("2026.02.01", "2026.2.1")).toBe(0);
});

test.each(["../../etc", "2026.10.26/..", "", "v2026.10.26", "2026.10.26.x", "2026.10"])(
  "%j is not a version, so it never names a folder",
  (text) => expect(isVersion(text)).toBe(false),
);

test("recognizes the first version with the option for runtimes", () => {
  expect(["2025.11.11", "2025.11.12", "junk"].map(knowsRuntimes)).toEqual([false, true, false]);
});

test("the age of a version counts from its release date", () => {
  expect(releaseDay("2026.1.5")).toBe("2026-01-05");
  expect(ageInDays("2026.10.26", Date.parse("2026-11-22T12:00:00Z"))).toBe(27);
  expect([releaseDay("junk"), ageInDays("junk", Date.now())]).toEqual(["", 0]);
});

test.each([
  ["https://mirror.example/yt-dlp/releases/", "https://mirror.example/yt-dlp/releases"],
  ["http://127.0.0.1:8080/releases", "http://127.0.0.1:8080/releases"],
  ["off", "off"],
])("releases can be downloaded from %s", (given, taken) => {
  expect(parseSettings({ FOLLOWSPOT_YTDLP_RELEASES: given }).FOLLOWSPOT_YTDLP_RELEASES).toBe(taken);
});

test.each(["http://mirror.example/releases", "ftp://x/y", "https://a@b.example/", "https://x.example/?y", "no"])(
  "executables are not downloaded from %s",
  (given) => expect(() => parseSettings({ FOLLOWSPOT_YTDLP_RELEASES: given })).toThrow("FOLLOWSPOT_YTDLP_RELEASES"),
);
