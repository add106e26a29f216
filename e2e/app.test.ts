import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { EventConnection } from "@followspot/contract/event-connection";
import { sharedBrowser, sharedProduct, type SharedProduct } from "./testing/shared-product.ts";

/** Two sites of other origins: one that the product allows, and one that it does not. */
const sites: Server[] = [];
let app: string;
let other: string;
let product: SharedProduct;
let browser: Browser;

beforeAll(async () => {
  [product, browser] = await Promise.all([sharedProduct(), sharedBrowser()]);
  app = await openSite(Number(new URL(product.allowedOrigin).port));
  other = await openSite(0);
});
afterAll(async () => {
  await browser?.close();
  for (const site of sites) site.close();
});

async function openSite(port: number): Promise<string> {
  const site = createServer((_request, response) =>
    response.setHeader("content-type", "text/html").end("<p>An app</p>"),
  );
  sites.push(site);
  await new Promise<void>((resolve) => site.listen(port, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
}

async function open(site: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(site);
  return page;
}

/** Makes a call from a page. @returns status and length of the request ID, or the name of the error */
const call = (page: Page, token: string) =>
  page.evaluate(
    async ({ url, authorization }) => {
      try {
        const answer = await fetch(`${url}/followspot.user.v1.UserService/ListUsers`, {
          method: "POST",
          headers: { "content-type": "application/json", authorization },
          body: "{}",
        });
        return [answer.status, answer.headers.get("x-request-id")?.length];
      } catch (error) {
        return (error as Error).name;
      }
    },
    { url: product.url, authorization: `Bearer ${token}` },
  );

/** Opens a socket from a page. @returns type of the first message after its hello, or the close code */
const hear = (page: Page, path: string, says: object) =>
  page.evaluate(
    ({ url, first }) =>
      new Promise<string | number>((resolve) => {
        const socket = new WebSocket(url);
        socket.onopen = () => socket.send(first);
        socket.onclose = ({ code }) => resolve(code);
        socket.onmessage = ({ data }) =>
          resolve(typeof data === "string" ? (JSON.parse(data).type as string) : "bytes");
      }),
    { url: product.url.replace("http", "ws") + path, first: JSON.stringify(says) },
  );

test("events after a page's first read are delivered, however late its socket opens", async () => {
  const at = (hours: number) => new Date(Date.now() + hours * 3600_000).toISOString();
  const create = (title: string) =>
    product.call("event.v1.EventService/CreateEvent", { title, starts_at: at(1), ends_at: at(2) });
  const read = async () => (await product.call("auth.v1.AuthService/GetSession", {})).newsSince as string;
  const before = await read();
  await create("Read by the page");
  // Its event reaches the feed a moment after the answer.
  await expect.poll(read).not.toBe(before);
  const since = await read();
  await create("Missed by it");
  const told: string[] = [];
  const connection = new EventConnection(
    {
      ...{ url: `${product.url.replace("http", "ws")}/ws/events`, token: await product.token(), since },
      onEnvelope: ({ type }) => told.push(type),
      onReset: (topic) => told.push(topic),
      ...{ onState: () => {}, onUnauthenticated: () => {}, isOnline: () => true },
    },
    ["events"],
  );
  onTestFinished(() => connection.close());
  await expect.poll(() => told).toEqual(["event.created"]);
});

const SONG = "/lights/playback/01ARZ3NDEKTSV4RRFFQ69G5FAV";

test("a page of an allowed origin can make calls with its token, and open every socket with its first message", async () => {
  const page = await open(app);
  const token = await product.token();
  expect(await call(page, token)).toEqual([200, 26]);
  expect(await call(page, "nothing")).toEqual([401, 26]);
  const hello = { type: "hello", token };
  expect(await hear(page, "/ws/events", { type: "ClientHello", payload: { token } })).toBe("ServerAck");
  // 1012 means retry later: the stage starts last.
  await expect.poll(() => hear(page, "/lights/desk", hello)).toBe("desk");
  expect(await hear(page, SONG, hello)).toBe("state");
  expect(await hear(page, "/lights/sound", hello)).toBe("sound");
  expect(await hear(page, "/lights/lamps", hello)).toBe("bytes");
  expect(await hear(page, "/lights/desk", { type: "hello", token: "nothing" })).toBe(4401);
});

test("a page of any other origin can read no response and open no socket, even with a valid token", async () => {
  const page = await open(other);
  const token = await product.token();
  expect(await call(page, token)).toBe("TypeError");
  for (const path of ["/ws/events", "/lights/desk", SONG])
    expect(await hear(page, path, { type: "hello", token })).toBe(1006);
});
