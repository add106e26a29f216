import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { fetchCover } from "./cover-site.ts";
import { isPublic, type PublicSite } from "./public-fetch.ts";

const never = new AbortController().signal;
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** Starts a server on loopback that counts its requests. */
async function serve(answer: RequestListener): Promise<{ origin: string; visits: () => number }> {
  let visits = 0;
  const server = createServer((request, response) => {
    visits++;
    answer(request, response);
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await new Promise((resolve) => server.once("listening", resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, visits: () => visits };
}

/** Returns a site whose host names all resolve to the given address. */
const leadingTo = (address: string): PublicSite => ({
  testSite: undefined,
  lookUp: (_host, answer) => answer(null, [{ address, family: address.includes(":") ? 6 : 4 }]),
});

describe("a cover is not fetched from", () => {
  test.each([
    "http://i.ytimg.com/vi/x/hq.jpg",
    "https://i.ytimg.com:8443/vi/x/hq.jpg",
    "https://user@i.ytimg.com/vi/x/hq.jpg",
    "https://i.ytimg.com.evil.example/vi/x/hq.jpg",
    "https://evil.example/i.ytimg.com/hq.jpg",
    "https://169.254.169.254/latest/meta-data",
    "https://[::1]/x.jpg",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "data:image/png;base64,AAAA",
    "//i.ytimg.com/x.jpg",
    "",
  ])("%j", async (address) => {
    let lookUps = 0;
    const site: PublicSite = { testSite: undefined, lookUp: () => void lookUps++ };
    await expect(fetchCover(address, site, never)).rejects.toThrow(/address/);
    expect(lookUps).toBe(0);
  });

  test.each([
    "127.0.0.1",
    "10.1.2.3",
    "172.31.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "0.0.0.0",
    "::1",
    "fe80::1",
    "fd00::1",
    "::ffff:127.0.0.1",
  ])("a listed host that resolves to %s", async (address) => {
    const fetching = fetchCover("https://i.ytimg.com/vi/x/hq.jpg", leadingTo(address), never);
    await expect(fetching).rejects.toThrow(`its host leads to ${address}, which is not public`);
  });

  test("a loopback server to which the video site redirects", async () => {
    const inner = await serve((_request, response) => void response.end("secret"));
    const site = await serve(
      (_request, response) => void response.writeHead(302, { location: `${inner.origin}/x` }).end(),
    );
    await expect(fetchCover(`${site.origin}/x.jpg`, { testSite: site.origin }, never)).rejects.toThrow(
      /not one of the video site/,
    );
    expect(inner.visits()).toBe(0);
  });

  test("an endless redirect", async () => {
    const site = await serve((_request, response) => void response.writeHead(302, { location: "/again" }).end());
    await expect(fetchCover(`${site.origin}/x.jpg`, { testSite: site.origin }, never)).rejects.toThrow(/too often/);
    expect(site.visits()).toBe(4);
  });
});

describe("a download of a cover from the video site", () => {
  test("returns the whole file, also after a redirect within the site", async () => {
    const site = await serve((request, response) => {
      if (request.url === "/old.jpg") response.writeHead(301, { location: "/new.jpg" }).end();
      else response.end("picture");
    });
    const bytes = await fetchCover(`${site.origin}/old.jpg`, { testSite: site.origin }, never);
    expect(Buffer.from(bytes).toString()).toBe("picture");
  });

  test("is aborted after 5 MB", async () => {
    let sent = 0;
    const site = await serve((_request, response) => {
      const push = () => {
        while (sent < 50e6 && response.write(Buffer.alloc(65_536))) sent += 65_536;
      };
      response.on("drain", push);
      push();
    });
    await expect(fetchCover(site.origin, { testSite: site.origin }, never)).rejects.toThrow(/larger than 5 MB/);
    expect(sent).toBeLessThan(20e6);
  });

  test("reports a missing file and a truncated one", async () => {
    const site = await serve((request, response) => {
      if (request.url === "/missing") response.writeHead(404).end();
      else response.writeHead(200, { "content-length": "100" }).write("half", () => response.destroy());
    });
    await expect(fetchCover(`${site.origin}/missing`, { testSite: site.origin }, never)).rejects.toThrow(
      /answered 404/,
    );
    await expect(fetchCover(`${site.origin}/cut`, { testSite: site.origin }, never)).rejects.toThrow(
      /cut off|not be fetched/,
    );
  });

  test("stops when the step is canceled", async () => {
    const site = await serve(() => undefined);
    const abort = new AbortController();
    const fetching = fetchCover(site.origin, { testSite: site.origin }, abort.signal);
    await expect.poll(site.visits).toBe(1);
    abort.abort(new Error("cancelled"));
    await expect(fetching).rejects.toThrow(/not be fetched/);
  });
});

test.each([
  ["142.250.1.1", true],
  ["8.8.8.8", true],
  ["2a00:1450:4001::1", true],
  ["172.32.0.1", true],
  ["172.16.0.1", false],
  ["100.64.0.1", false],
  ["224.0.0.1", false],
  ["255.255.255.255", false],
  ["::", false],
  ["64:ff9b::7f00:1", false],
  ["2002:7f00:1::", false],
  ["2001:db8::1", false],
  ["ff02::1", false],
])("%s is public: %s", (address, isOpen) => {
  expect(isPublic(address)).toBe(isOpen);
});
