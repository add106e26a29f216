import { readFile, stat } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { fetchSound, findPage, type LinkedSite } from "./link-file.ts";
import { folderUntil } from "../../testing/open-until.ts";

let files = 0;
const servers: Server[] = [];
const never = new AbortController().signal;
const folder = await folderUntil(afterAll);
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** Starts a site on loopback that counts its requests. */
async function serve(answer: RequestListener): Promise<{ readonly origin: string; readonly visits: () => number }> {
  let visits = 0;
  const server = createServer((request, response) => {
    visits++;
    answer(request, response);
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await new Promise((resolve) => server.once("listening", resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, visits: () => visits };
}

async function fetchFrom(address: string, site: LinkedSite, onProgress = (_share: number) => {}): Promise<string> {
  const to = join(folder, `sound-${++files}`);
  await fetchSound(address, to, site, { signal: never, onProgress });
  return readFile(to, "utf8");
}

/** Returns a site whose host names all resolve to the given address. */
const leadingTo = (address: string): LinkedSite => ({
  testSite: undefined,
  lookUp: (_host, answer) => answer(null, [{ address, family: address.includes(":") ? 6 : 4 }]),
});

describe("a linked file", () => {
  test("is downloaded after redirects, with progress", async () => {
    const site = await serve((request, response) => {
      if (request.url === "/song.mp3") return void response.writeHead(302, { location: "/there.mp3" }).end();
      response.writeHead(200, { "content-type": "audio/mpeg", "content-length": 5 }).end("sound");
    });
    const shares: number[] = [];
    expect(await fetchFrom(`${site.origin}/song.mp3`, { testSite: site.origin }, (share) => shares.push(share))).toBe(
      "sound",
    );
    expect(shares.at(-1)).toBe(1);
  });

  test.each<[what: string, answer: RequestListener, why: RegExp, retry: boolean]>([
    [
      "a page",
      (_q, r) => void r.writeHead(200, { "content-type": "text/html" }).end("<p>"),
      /leads to a page, not to a sound/,
      false,
    ],
    ["nothing", (_q, r) => void r.writeHead(404).end(), /nothing behind this link/, false],
    ["a locked door", (_q, r) => void r.writeHead(403).end(), /does not give this file/, false],
    ["a fault", (_q, r) => void r.writeHead(500).end(), /answered 500/, true],
    ["a request to slow down", (_q, r) => void r.writeHead(429).end(), /slow down/, true],
    ["itself without end", (q, r) => void r.writeHead(302, { location: q.url }).end(), /redirected without end/, false],
    [
      "more than there may be",
      (_q, r) => void r.writeHead(200, { "content-length": 2000 }).write("x"),
      /larger than/,
      false,
    ],
    [
      "bytes without end",
      (_q, r) => {
        r.writeHead(200);
        for (let i = 0; i < 50; i++) r.write("x".repeat(100));
      },
      /larger than/,
      false,
    ],
    [
      "half of it",
      (_q, r) => {
        r.writeHead(200, { "content-length": 900 });
        r.write("x");
        setTimeout(() => r.destroy(), 50);
      },
      /broke off|not be reached/,
      true,
    ],
    ["silence", () => {}, /stopped sending/, true],
  ])("that is %s is refused with a sentence", async (_what, answer, why, retry) => {
    const { origin } = await serve(answer);
    const limits = { silenceMs: 400, totalMs: 5000 };
    const fetching = fetchFrom(`${origin}/song.mp3`, { testSite: origin, limits, mostBytes: 1000 });
    await expect(fetching).rejects.toMatchObject({ message: expect.stringMatching(why), retry });
    if (/larger/.test(why.source)) expect((await stat(join(folder, `sound-${files}`))).size).toBeLessThanOrEqual(1000);
  });

  test.each(["127.0.0.1", "10.0.0.7", "169.254.169.254", "192.168.1.1", "::1", "fd00::1", "::ffff:10.0.0.1"])(
    "whose host resolves to %s is not downloaded",
    async (address) => {
      const fetching = fetchFrom("https://example.org/song.mp3", leadingTo(address));
      await expect(fetching).rejects.toThrow(
        `This link is not fetched: its host leads to ${address}, which is not public.`,
      );
      const proxied = fetchFrom("https://example.org/song.mp3", { ...leadingTo(address), proxy: "http://127.0.0.1:9" });
      await expect(proxied).rejects.toThrow("which is not public");
    },
  );

  test.each([
    "http://127.0.0.2:1/secret.mp3",
    "https://127.0.0.1/secret.mp3",
    "https://[::1]/secret.mp3",
    "http://example.org/song.mp3",
    "https://ada:pass@example.org/song.mp3",
    "https://example.org:8443/song.mp3",
    "file:///etc/passwd",
    "data:audio/mpeg;base64,AAAA",
  ])("does not follow a redirect to %s", async (location) => {
    const site = await serve((_request, response) => void response.writeHead(302, { location }).end());
    await expect(fetchFrom(`${site.origin}/song.mp3`, { testSite: site.origin })).rejects.toThrow(
      /leads on to an address that is not taken/,
    );
    expect(site.visits()).toBe(1);
  });

  test("uses the proxy of the settings", async () => {
    const asked: string[] = [];
    const proxy = createServer().listen(0, "127.0.0.1");
    servers.push(proxy);
    proxy.on("connect", (request, socket) => {
      asked.push(`${request.url} ${request.headers["proxy-authorization"] ?? ""}`);
      socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    });
    await new Promise((resolve) => proxy.once("listening", resolve));
    const address = `http://ada:word@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const fetching = fetchFrom("https://example.org/song.mp3", { ...leadingTo("93.184.216.34"), proxy: address });
    await expect(fetching).rejects.toThrow(/could not be reached/);
    expect(asked).toEqual([`example.org:443 Basic ${Buffer.from("ada:word").toString("base64")}`]);
  });
});

describe("a page of another site", () => {
  const SITES = ["soundcloud.com"];

  test("is resolved through redirects within the allowed sites, and no further", async () => {
    const away = await serve(
      (_request, response) => void response.writeHead(302, { location: "https://evil.example/x" }).end(),
    );
    await expect(findPage(`${away.origin}/x`, SITES, { testSite: away.origin }, never)).rejects.toThrow(/not taken/);
    const on = await serve((request, response) => {
      if (request.url === "/short") response.writeHead(302, { location: "/long" });
      response.end();
    });
    expect(await findPage(`${on.origin}/short`, SITES, { testSite: on.origin }, never)).toBe(`${on.origin}/long`);
  });

  test("whose host resolves to a private address is not requested", async () => {
    const finding = findPage("https://soundcloud.com/x", SITES, leadingTo("10.0.0.7"), never);
    await expect(finding).rejects.toThrow(/its host leads to 10\.0\.0\.7, which is not public/);
  });

  test("that does not respond is passed to the downloader", async () => {
    const site: LinkedSite = {
      testSite: undefined,
      lookUp: (_host, answer) => answer(Object.assign(new Error("x"), { code: "ENOTFOUND" }), []),
    };
    expect(await findPage("https://soundcloud.com/x", SITES, site, never)).toBe("https://soundcloud.com/x");
  });
});
