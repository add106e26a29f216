import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import { request as plainRequest, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { AcmeCertificate } from "./acme-certificate.ts";
import { CHALLENGE_PATH } from "./acme-client.ts";
import { createHttpServer } from "./http-server.ts";
import { acceptTls, openHttps, prepareCertificate } from "./https.ts";
import { listen } from "./listen.ts";
import { parseSettings } from "../settings.ts";
import { startAcmeServer, type AcmeFault } from "../testing/acme-server.ts";

const NAME = "nights.example.org";
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Starts a server and an authority, as main-api does, with one clock that the test moves. */
async function startWithAcme() {
  const clock = { offsetMs: 0, authorityOffsetMs: 0 };
  const client = { pollMs: 1, responseMs: 30_000 };
  const authority = openUntil(onTestFinished, await startAcmeServer(() => Date.now() + clock.authorityOffsetMs));
  const dataDir = await folderUntil(onTestFinished);
  const settings = parseSettings({
    FOLLOWSPOT_DATA_DIR: dataDir,
    FOLLOWSPOT_ACME: NAME,
    FOLLOWSPOT_ACME_EMAIL: "ada@example.org",
    FOLLOWSPOT_ACME_DIRECTORY: authority.directory,
  });
  const { app } = await createHttpServer({
    noteFailure: () => undefined,
    authenticate: async () => undefined,
    trustProxy: [],
  });
  openUntil(onTestFinished, app);
  const https = openUntil(onTestFinished, await openHttps(settings, () => undefined));
  acceptTls(app.server, https.tls);
  const lines: string[] = [];
  const open = () =>
    AcmeCertificate.open(
      { ...settings, FOLLOWSPOT_ACME: NAME },
      {
        use: (certificate) => https.tls.addContext(NAME, certificate),
        info: (line) => lines.push(line),
        warn: (line) => lines.push(line),
        now: () => Date.now() + clock.offsetMs,
        client,
      },
    );
  const acme = await open();
  acme.registerChallenges(app);
  await listen(app, { HOST: "localhost", PORT: 0 });
  const { port } = app.server.address() as AddressInfo;
  authority.challengePort = port;
  /** The certificate that a client gets who asks for this name. */
  const certificateFor = async (servername: string) => {
    const socket = connectTls({ port, host: "127.0.0.1", servername, rejectUnauthorized: false });
    await once(socket, "secureConnect");
    const found = socket.getPeerX509Certificate()!;
    const isComplete = found.issuerCertificate?.subject === "CN=Authority of tests";
    socket.destroy();
    return { found, isComplete, byAuthority: found.verify(new X509Certificate(authority.authority).publicKey) };
  };
  return { authority, settings, dataDir, clock, client, lines, open, acme, port, certificateFor };
}

test("a certificate is ordered once, presented for its name with its chain, and stored for the owner only", async () => {
  const { authority, settings, dataDir, lines, open, acme, port, certificateFor } = await startWithAcme();
  expect([settings.FOLLOWSPOT_HTTPS, settings.FOLLOWSPOT_PUBLIC_URL]).toEqual(["on", `https://${NAME}`]);
  expect(await prepareCertificate(settings)).toBeUndefined();
  expect(await certificateFor(NAME)).toMatchObject({ byAuthority: false });
  await acme.look();
  await acme.look();
  expect(authority.ordered).toEqual([NAME]);
  expect(authority.contacts).toEqual([["mailto:ada@example.org"]]);
  const presented = await certificateFor(NAME);
  expect(presented).toMatchObject({ byAuthority: true, isComplete: true });
  expect(presented.found.checkHost(NAME)).toBe(NAME);
  expect(await certificateFor("localhost")).toMatchObject({ byAuthority: false });
  const end = new Date(presented.found.validTo).toISOString().slice(0, 10);
  expect(lines).toEqual([`The certificate for ${NAME} is valid until ${end}.`]);
  expect([acme.reasons, acme.warnings]).toEqual([[], []]);

  const files = await readdir(join(dataDir, "tls"));
  expect(files).toEqual(expect.arrayContaining(["acme-account.pem", `${NAME}@127.0.0.1.pem`]));
  for (const file of files) expect((await stat(join(dataDir, "tls", file))).mode & 0o777).toBe(0o600);
  await (await open()).look(); // after a restart
  expect(authority.ordered).toEqual([NAME]);

  const sent = plainRequest({ host: "127.0.0.1", port, path: `${CHALLENGE_PATH}unknown` }).end();
  const [{ statusCode }] = (await once(sent, "response")) as [IncomingMessage];
  expect(statusCode).toBe(404);
});

test("a certificate is renewed 30 days before it ends, by the same account and without a restart", async () => {
  const { authority, clock, acme, certificateFor } = await startWithAcme();
  await acme.look();
  const first = await certificateFor(NAME);
  clock.offsetMs = clock.authorityOffsetMs = 59 * DAY_MS;
  await acme.look();
  expect(authority.ordered).toHaveLength(1);
  clock.offsetMs = clock.authorityOffsetMs = 61 * DAY_MS;
  await acme.look();
  expect(authority.ordered).toHaveLength(2);
  expect(authority.accountCount()).toBe(1);
  const second = await certificateFor(NAME);
  expect(Date.parse(second.found.validTo) - Date.parse(first.found.validTo)).toBeGreaterThan(60 * DAY_MS);
});

test("a refused nonce is replaced", async () => {
  const { authority, acme, certificateFor } = await startWithAcme();
  authority.fault = "bad nonces";
  await acme.look();
  expect(await certificateFor(NAME)).toMatchObject({ byAuthority: true });
});

describe("an order that fails keeps the old certificate, and /health names what to do", () => {
  type Case = [title: string, fault: AcmeFault | "closed port" | "clock ahead", why: RegExp];
  const cases: Case[] = [
    ["the authority refuses connections", "refuses", /cannot be reached \(.+\)\. Check this machine's connection/],
    ["the authority does not answer", "hangs", /cannot be reached \(no response in time\)\. Check this machine's/],
    ["the authority is no ACME server", "unknown format", /unexpected format\. Check FOLLOWSPOT_ACME_DIRECTORY\./],
    ["the authority has reached a limit", "limits", /refused the request: Too many certificates for this name\./],
    [
      "the challenge cannot be fetched",
      "closed port",
      /could not fetch http:\/\/nights\.example\.org\/\.well-known\/acme-challenge\/…: Connection refused\. Set HOST=0\.0\.0\.0, and forward port 80 of nights\.example\.org to port 3000/,
    ],
    ["DNS forbids the authority", "invalidates the order", /refused the order: CAA record forbids issuance\./],
    ["the certificate is for another name", "names another host", /does not name nights\.example\.org\./],
    ["the clock is ahead", "clock ahead", /does not fit this machine's clock, which shows .+ UTC\. Set the clock\./],
  ];

  test.each(cases)("%s", async (_title, fault, why) => {
    const { authority, clock, client, lines, acme, port, certificateFor } = await startWithAcme();
    await acme.look();
    const before = await certificateFor(NAME);
    expect(before.byAuthority).toBe(true);

    if (fault !== "closed port" && fault !== "clock ahead") authority.fault = fault;
    if (fault === "hangs") client.responseMs = 50;
    if (fault === "closed port") authority.challengePort = 1;
    clock.offsetMs = 65 * DAY_MS;
    clock.authorityOffsetMs = fault === "clock ahead" ? 0 : 65 * DAY_MS;
    lines.length = 0;
    await acme.look();
    const end = new Date(before.found.validTo).toISOString().slice(0, 10);
    expect(acme.warnings).toEqual([expect.stringMatching(why)]);
    expect(acme.warnings[0]).toContain(`The certificate for ${NAME} could not be renewed and ends ${end}. 127.0.0.1:`);
    expect(acme.reasons).toEqual([]);
    expect(lines).toEqual(acme.warnings);
    expect((await certificateFor(NAME)).found.fingerprint256).toBe(before.found.fingerprint256);

    // Retried after 5 minutes, or after a day where the authority asks for it.
    clock.offsetMs += 4 * 60_000;
    await acme.look();
    expect(lines).toHaveLength(1);
    clock.offsetMs += 2 * 60_000;
    await acme.look();
    expect(lines).toHaveLength(fault === "limits" ? 1 : 2);

    // Once it has ended, it is a fault.
    clock.offsetMs = 91 * DAY_MS;
    expect([acme.reasons, acme.warnings]).toEqual([
      [expect.stringContaining(`The certificate for ${NAME} ended ${end}.`)],
      [],
    ]);

    authority.fault = undefined;
    client.responseMs = 30_000;
    authority.challengePort = port;
    clock.authorityOffsetMs = clock.offsetMs;
    await acme.look();
    expect([acme.reasons, acme.warnings]).toEqual([[], []]);
    expect((await certificateFor(NAME)).found.fingerprint256).not.toBe(before.found.fingerprint256);
  });
});

test("a first order that fails is a fault in /health; the pause doubles to 12 hours", async () => {
  const { authority, clock, acme } = await startWithAcme();
  authority.fault = "refuses";
  const pauses: number[] = [];
  for (let i = 0; i < 10; i++) {
    await acme.look();
    const [, day, time] = /Next try: (\S+), (\S+) UTC\.$/.exec(acme.reasons[0]!)!;
    pauses.push(Math.round((Date.parse(`${day}T${time}Z`) - Date.now() - clock.offsetMs) / 60_000));
    clock.offsetMs += 13 * HOUR_MS;
  }
  expect(acme.reasons[0]).toContain(`The certificate for ${NAME} is missing. 127.0.0.1:`);
  [5, 10, 20, 40, 80, 160, 320, 640, 720, 720].forEach((minutes, i) => {
    expect(Math.abs(pauses[i]! - minutes)).toBeLessThanOrEqual(1);
  });
});

test.each([
  [{ FOLLOWSPOT_ACME: "localhost" }, "FOLLOWSPOT_ACME: must be a host name such as nights.example.org"],
  [{ FOLLOWSPOT_ACME: "https://nights.example.org" }, "FOLLOWSPOT_ACME: must be a host name"],
  [{ FOLLOWSPOT_ACME: "192.168.1.10" }, "FOLLOWSPOT_ACME: must be a host name"],
  [{ FOLLOWSPOT_ACME_EMAIL: "ada" }, "FOLLOWSPOT_ACME_EMAIL: must be an email address"],
  [{ FOLLOWSPOT_ACME_DIRECTORY: "http://ca.example.org" }, "FOLLOWSPOT_ACME_DIRECTORY: must be https://"],
  [
    { FOLLOWSPOT_ACME: NAME, FOLLOWSPOT_TLS_CERT: "a", FOLLOWSPOT_TLS_KEY: "b" },
    "FOLLOWSPOT_ACME: cannot be set together with FOLLOWSPOT_TLS_CERT",
  ],
])("rejects the settings %o", (given, problem) => {
  expect(() => parseSettings(given as Record<string, string>)).toThrow(problem);
});
