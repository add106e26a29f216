import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, expect, test } from "vitest";
import { openUntil } from "../../testing/open-until.ts";
import { startTestServer, type Wire } from "../../testing/test-server.ts";

const server = openUntil(afterAll, await startTestServer({ connections: 10, canSend: false }));
const admin = await server.person("Ada", ["Admin"]);
const director = await server.person("Dora", ["Director"]);
beforeEach(() => server.sql`delete from rate_limits`);

const HOUR = 3_600_000;
const at = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
const auth = (method: string, body: object, token?: string) =>
  server.call(`auth.v1.AuthService/${method}`, body, token);
const events = (method: string, body: object) => server.ask(`event.v1.EventService/${method}`, body, admin.token);
const setWay = (codeBy: string, mode = "closed") =>
  server.ask("user.v1.UserService/SetSignUp", { mode, codeBy }, admin.token);
const newTarget = () => `${randomUUID()}@example.org`;

async function invited(): Promise<{ eventId: string; invitation: string; warning: string }> {
  const night = { title: "Night", startsAt: at(1), endsAt: at(5), registration: "invitation" };
  const eventId = (await events("CreateEvent", night)).event.id;
  const { path, warning = "" } = await events("RenewEventInvitation", { eventId });
  return { eventId, invitation: path.split("invitation=")[1]!, warning };
}
const join = (link: object, more: object = {}) =>
  auth("JoinByLink", { name: "Bea", target: newTarget(), ...link, ...more });
const staffCodes = async (token = director.token): Promise<Wire[]> =>
  (await auth("ListStaffCodes", {}, token)).body.codes ?? [];

// kept: Doors | A link was made without a word although no mail was set up and no guest could use it | failed on the old code
test.each([
  ["mail", "neither is set up"],
  ["link", ""],
  ["staff", ""],
])("making a link warns if codes come by %s and nothing can be sent", async (way, warning) => {
  const { signUp } = await setWay(way, "invitation");
  expect(signUp).toMatchObject({ codeBy: way });
  for (const said of [signUp.warning ?? "", (await invited()).warning])
    if (warning) expect(said).toContain(warning);
    else expect(said).toBe("");
});

test("the link itself signs its holder in as a member with an unconfirmed address, and registers them", async () => {
  await setWay("link");
  const { warning: _, ...link } = await invited();
  expect((await auth("GetSignUpMode", link)).body.byLink).toBe(true);
  const target = newTarget();
  const { body, headers } = await join(link, { target });
  expect(body.user).toMatchObject({ name: "Bea", role: "Member", unconfirmedAddress: target });
  expect([body.user.email, body.user.verifiedAt]).toEqual([undefined, undefined]);
  expect(headers.get("set-cookie")).toContain("HttpOnly");
  const { registrations } = await events("ListRegistrations", { eventId: link.eventId });
  expect(registrations).toMatchObject([{ userName: "Bea", state: "registered" }]);
  expect((await server.call("user.v1.UserService/ListUsers", {}, body.token)).code).toBe("permission_denied");
});

test("the address of another person gets the same answer, and opens no account of theirs", async () => {
  await setWay("link");
  const { warning: _, ...link } = await invited();
  const target = newTarget();
  const { id } = await server.person("Known", ["Admin"], target);
  const [known, unknown] = [await join(link, { target }), await join(link)];
  const shape = ({ body }: { body: Wire }) => Object.keys(body.user).toSorted();
  expect(shape(known)).toEqual(shape(unknown));
  expect(known.body.user.id).not.toBe(id);
  expect(known.body.user.role).toBe("Member");
});

test.each([
  ["codes come by mail", "mail", {}],
  ["staff read codes out", "staff", {}],
  ["the key is another event's", "link", { invitation: undefined }],
])("no one joins by link if %s", async (_case, way, more) => {
  await setWay(way);
  const { warning: _, ...link } = await invited();
  const other = "invitation" in more ? { invitation: (await invited()).invitation } : {};
  expect((await join(link, other)).code).toBe("failed_precondition");
  expect((await auth("GetSignUpMode", { ...link, ...other })).body.byLink).toBeUndefined();
});

test("open sign-up without an invitation is no link that signs in", async () => {
  await setWay("link", "open");
  expect((await auth("GetSignUpMode", {})).body).toMatchObject({ isOpen: true });
  expect((await join({ invitation: "x" })).code).toBe("failed_precondition");
});

test("staff see the codes of members and new guests, and of no one with a role", async () => {
  await setWay("staff", "open");
  const [member, boss, fresh, stranger] = [newTarget(), newTarget(), newTarget(), newTarget()];
  await server.person("Mel", [], member);
  await server.person("Boss", ["Admin"], boss);
  const said = [];
  for (const [target, name] of [
    [member, ""],
    [boss, ""],
    [fresh, "Flo"],
    [stranger, ""],
  ] as const)
    said.push((await auth("SendLoginCode", { target, name })).body.message);
  expect(said.filter((text) => !text.includes("the staff of the event can read your code to you"))).toEqual([]);
  await expect.poll(staffCodes.bind(null, director.token)).toHaveLength(2);
  const codes = await staffCodes();
  expect(codes.map(({ name }) => name).toSorted()).toEqual(["Flo", "Mel"]);
  const { code } = codes.find(({ target }) => target === fresh)!;
  expect((await auth("VerifyLoginCode", { target: fresh, code, name: "Flo" })).body.user.name).toBe("Flo");
  expect(await staffCodes()).toHaveLength(1);
  const { token } = await server.person("Gus");
  expect((await auth("ListStaffCodes", {}, token)).code).toBe("permission_denied");
  await setWay("mail", "open");
  expect(await staffCodes()).toEqual([]);
});
