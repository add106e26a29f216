import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, expect, test } from "vitest";
import { openUntil } from "../../testing/open-until.ts";
import { startTestServer, type Wire } from "../../testing/test-server.ts";

const server = openUntil(afterAll, await startTestServer({ connections: 10 }));
const admin = await server.person("Ada", ["Admin"]);
beforeEach(() => server.sql`delete from rate_limits`);

const HOUR = 3_600_000;
const at = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
const auth = (method: string, body: object) => server.call(`auth.v1.AuthService/${method}`, body);
const events = (method: string, body: object) => server.ask(`event.v1.EventService/${method}`, body, admin.token);
const newTarget = () => `${randomUUID()}@example.org`;
const codeFor = (target: string) => server.codes.findLast((sent) => sent.target === target)?.code;

/** Creates an event by invitation with its key. */
async function invited(more: object = {}): Promise<{ eventId: string; invitation: string }> {
  const night = { title: "Night", startsAt: at(1), endsAt: at(5), registration: "invitation", ...more };
  const eventId = (await events("CreateEvent", night)).event.id;
  const { path } = await events("RenewEventInvitation", { eventId });
  return { eventId, invitation: path.split("invitation=")[1]! };
}
async function join(target: string, more: object, name = "Bea") {
  const sent = await auth("SendLoginCode", { target, name, ...more });
  const answer = await auth("VerifyLoginCode", { target, code: codeFor(target) ?? "000000", name, ...more });
  return { ...answer, said: sent.body.message as string };
}
const listOf = async (eventId: string): Promise<Wire[]> =>
  (await events("ListRegistrations", { eventId })).registrations ?? [];

// kept: Doors | The holder of an event's invitation waited for a code that was never sent, because sign-up was closed
// | failed on the old code
test("an invitation link creates the account and the registration while sign-up is closed", async () => {
  const link = await invited({ places: 1 });
  expect((await auth("GetSignUpMode", link)).body.isOpen).toBe(true);
  const first = await join(newTarget(), link);
  expect(first.body.user).toMatchObject({ name: "Bea", role: "Member" });
  await join(newTarget(), link, "Cy");
  expect((await listOf(link.eventId)).map(({ userName, state }) => [userName, state])).toEqual([
    ["Bea", "registered"],
    ["Cy", "waiting"],
  ]);
});

test("a known address signs in with the same answer, keeps its name, and is registered", async () => {
  const link = await invited();
  const target = newTarget();
  const { id } = await server.person("Known", [], target);
  const [known, unknown] = [await join(target, link, "Other"), await join(newTarget(), link)];
  expect(known.said).toBe(unknown.said);
  expect(known.body.user).toMatchObject({ id, name: "Known" });
  expect((await listOf(link.eventId)).map(({ userName }) => userName)).toEqual(["Known", "Bea"]);
});

test.each([
  [
    "a replaced key",
    async () => {
      const link = await invited();
      await events("RenewEventInvitation", { eventId: link.eventId });
      return link;
    },
  ],
  ["the key of another event", async () => ({ ...(await invited()), eventId: (await invited()).eventId })],
  ["an event that is over", () => invited({ startsAt: at(-3), endsAt: at(-1) })],
  ["an event that is not by invitation", () => invited({ registration: "open" })],
  [
    "a deleted event",
    async () => {
      const link = await invited();
      await events("DeleteEvent", { eventId: link.eventId });
      return link;
    },
  ],
])("%s creates no account, and no code is sent", async (_case, make) => {
  const link = await make();
  const target = newTarget();
  expect((await auth("GetSignUpMode", link)).body).toMatchObject({ says: expect.stringContaining("invitation") });
  await join(target, link);
  expect(codeFor(target)).toBeUndefined();
  expect(await server.sql`select 1 from users where email = ${target}`).toHaveLength(0);
});

test("creates no account if the registration is refused after the code was sent", async () => {
  const link = await invited();
  const target = newTarget();
  await auth("SendLoginCode", { target, name: "Bea", ...link });
  await events("UpdateEvent", { eventId: link.eventId, registration: "none" });
  const verify = { target, code: codeFor(target), name: "Bea", ...link };
  expect((await auth("VerifyLoginCode", verify)).code).toBe("failed_precondition");
  expect(await server.sql`select 1 from users where email = ${target}`).toHaveLength(0);
});
