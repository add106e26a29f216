// @vitest-environment jsdom
import { afterEach, describe, expect, test, vi } from "vitest";
import { call } from "../guest/call.ts";
import { addressOf } from "../stage-page/stage-address.ts";
import { serverPath } from "./base-path.ts";
import { fetchTogether } from "./fetch-together.ts";
import { requestJson } from "./http.ts";
import { linkAddress, serverAddress } from "./link-address.ts";
import { socketUrl } from "./socket-url.ts";

const { origin, host } = window.location;

function openBelow(basePath: string): void {
  if (basePath !== "") document.head.insertAdjacentHTML("beforeend", `<meta name="base-path" content="${basePath}">`);
}
afterEach(() => {
  document.head.replaceChildren();
  vi.unstubAllGlobals();
});

describe.each(["/lights", "/stage/lamps", ""])("in a page below '%s'", (basePath) => {
  test("addresses of the server start with the base path, others stay", () => {
    openBelow(basePath);
    expect(serverPath("/media/01JD")).toBe(`${basePath}/media/01JD`);
    for (const other of ["", "blob:x", "https://songs.example.org/a.mp3", "data:,x"])
      expect(serverPath(other)).toBe(other);
    expect(socketUrl("/ws/events")).toBe(`ws://${host}${basePath}/ws/events`);
    expect([serverAddress(), linkAddress()]).toEqual([origin + basePath, origin + basePath]);
  });

  test("requests of every kind go below the base path", async () => {
    openBelow(basePath);
    const asked: string[] = [];
    vi.stubGlobal("fetch", async (url: string) => {
      asked.push(new URL(url, origin).pathname);
      return url.endsWith("/api/calls") ? new Response("", { status: 503 }) : Response.json({});
    });
    const reads = ["ListUsers", "GetUser"].map(
      (method) => `${origin}${basePath}/followspot.user.v1.UserService/${method}`,
    );
    await Promise.all([
      requestJson("/api/lights/rig"),
      call("guest.v1.GuestService/GetMyNight"),
      ...reads.map((url) => fetchTogether(url, { body: new TextEncoder().encode("{}") })),
    ]);
    expect(new Set(asked)).toEqual(
      new Set(
        [
          "/api/lights/rig",
          "/followspot.guest.v1.GuestService/GetMyNight",
          "/api/calls",
          "/followspot.user.v1.UserService/ListUsers",
          "/followspot.user.v1.UserService/GetUser",
        ].map((path) => basePath + path),
      ),
    );
  });

  test("a stage page reads its screen from the address", () => {
    openBelow(basePath);
    const at = (pathname: string) => addressOf({ pathname, hash: "#key-of-ten-characters" })?.id;
    expect(at(`${basePath}/stage/default`)).toBe("default");
    expect(at(`${basePath}/stage`)).toBeUndefined();
  });
});
