// @vitest-environment jsdom
import type { PublicEventJson } from "@followspot/contract/guest";
import { afterEach, expect, test, vi } from "vitest";
import { showEvent } from "./event-page.ts";

const NIGHT: PublicEventJson = {
  id: "E1",
  title: "Night <b>1</b>",
  community: "Open Stage",
  startsAt: "2026-11-27T19:00:00Z",
  endsAt: "2026-11-27T23:00:00Z",
  timeZone: "Europe/Berlin",
  location: "Hall 2",
  state: "upcoming",
  registration: "open",
  takesRegistrations: true,
};

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

/** Opens the page at an address; `answers` are the server's by method, 200 unless they have a code. */
async function open(address: string, answers: Readonly<Record<string, object>> = {}, embedded?: PublicEventJson) {
  history.replaceState(null, "", address);
  document.body.innerHTML = '<div id="root"></div>';
  if (embedded) {
    const script = Object.assign(document.createElement("script"), { type: "application/json", id: "event" });
    script.textContent = JSON.stringify(embedded);
    document.head.replaceChildren(script);
  } else document.head.replaceChildren();
  const calls: { method: string; body: object }[] = [];
  vi.stubGlobal("fetch", async (url: string, init: { body: string }) => {
    const method = url.split("/").at(-1)!;
    calls.push({ method, body: JSON.parse(init.body) });
    const answer = answers[method];
    if (!answer) throw new TypeError("Failed to fetch");
    return Response.json(answer, { status: "code" in answer ? 400 : 200 });
  });
  const root = document.getElementById("root")!;
  await showEvent(root);
  return { root, calls };
}
const field = (name: string) => document.querySelector<HTMLInputElement>(`input[name=${name}]`)!;
const submit = () => document.querySelector("form")!.requestSubmit();
const button = () => document.querySelector("button[type=submit]")?.textContent ?? "";

test.each<[string, PublicEventJson, string, string]>([
  ["open", {}, "Open to everyone", "Register"],
  ["with free places", { freePlaces: 1 }, "1 place is free.", "Register"],
  ["full", { freePlaces: 0, waiting: 3 }, "3 people are on the waiting list", "Join the waiting list"],
  ["closed", { takesRegistrations: false }, "Registration is closed.", ""],
  ["by invitation without the link", { registration: "invitation" }, "Open the invitation link", ""],
  ["by invitation with the link", { registration: "invitation", isInvited: true }, "By invitation.", "Register"],
  ["for all members", { registration: "none" }, "Everyone in the community may come.", ""],
  ["over", { state: "past", takesRegistrations: false }, "This event is over.", ""],
  ["canceled", { state: "canceled", takesRegistrations: false }, "This event was canceled.", ""],
])("says who may come to an event that is %s", async (_state, more, said, action) => {
  const { root, calls } = await open("/e/E1", {}, { ...NIGHT, ...more });
  expect(root.textContent).toContain(said);
  expect(root.querySelector("h1")?.textContent).toBe("Night <b>1</b>");
  expect(root.textContent).toContain("20:00");
  expect(button()).toBe(action);
  expect(calls).toEqual([]);
});

test.each(["past", "canceled"])("invites no one to an event that is %s", async (state) => {
  const { root } = await open("/e/E1", {}, { ...NIGHT, state });
  expect(root.textContent).not.toContain("Open to everyone");
});

test("an error below a field disappears once the field is edited", async () => {
  await open("/e/E1", {}, NIGHT);
  submit();
  const invalid = () => [...document.querySelectorAll("[aria-invalid]")].map((each) => each.getAttribute("name"));
  const all = invalid();
  expect(all).toHaveLength(2);
  field(all[0]!).value = "N";
  field(all[0]!).dispatchEvent(new InputEvent("input"));
  expect(invalid()).toEqual([all[1]]);
});

test("registers with a name, an address and the code, with the key of the link", async () => {
  const { calls } = await open("/e/E1#invitation=KEY", {
    GetPublicEvent: { event: { ...NIGHT, registration: "invitation", isInvited: true } },
    GetSignUpMode: { isOpen: true },
    SendLoginCode: { message: "A code is on its way." },
    VerifyLoginCode: { code: "unauthenticated", message: "This code is wrong or has run out" },
  });
  submit();
  await expect.poll(() => document.body.textContent).toContain("Enter your name");
  field("name").value = " Bea ";
  field("target").value = "bea@example.org";
  submit();
  await expect.poll(() => field("code")).toBeTruthy();
  field("code").value = "123456";
  submit();
  await expect.poll(() => document.body.textContent).toContain("This code is wrong");
  const who = { name: "Bea", target: "bea@example.org", eventId: "E1", invitation: "KEY" };
  expect(calls.filter(({ method }) => /LoginCode/.test(method))).toEqual([
    { method: "SendLoginCode", body: who },
    { method: "VerifyLoginCode", body: { ...who, code: "123456" } },
  ]);
});

test("joins at once where the invitation link stands for a code", async () => {
  const { calls } = await open("/e/E1#invitation=KEY", {
    GetPublicEvent: { event: { ...NIGHT, registration: "invitation", isInvited: true } },
    GetSignUpMode: { isOpen: true, byLink: true },
    JoinByLink: { code: "failed_precondition", message: "This invitation does not work any more." },
  });
  field("name").value = "Bea";
  field("target").value = "bea@example.org";
  submit();
  await expect.poll(() => document.body.textContent).toContain("does not work any more");
  expect(calls.map(({ method }) => method)).toEqual(["GetPublicEvent", "GetSignUpMode", "JoinByLink"]);
});

test("offers a guest who is signed in to register in one press", async () => {
  localStorage.setItem("followspot.me.night", JSON.stringify({ userName: "Mira" }));
  const { root } = await open("/e/E1", {}, NIGHT);
  expect(root.querySelector("button")?.textContent).toBe("Register as Mira");
});

test.each<[string, string, object | undefined, string]>([
  ["a replaced link", "/e/E1#invitation=OLD", { code: "failed_precondition", message: "" }, "no longer valid"],
  ["an address without a public page", "/e/E1", { code: "not_found", message: "" }, "no public event page"],
  ["no network", "/e/E1", undefined, "Check the connection"],
  ["too many views", "/e/E1", { code: "resource_exhausted", message: "Opened too often." }, "Opened too often."],
])("explains %s", async (_case, address, answer, said) => {
  const { root } = await open(address, answer && { GetPublicEvent: answer });
  expect(root.textContent).toContain(said);
});
