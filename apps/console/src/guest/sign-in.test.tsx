// @vitest-environment jsdom
import { act } from "react";
import { expect, test, vi } from "vitest";
import { eventually, field, press, show, type } from "../testing/show.tsx";
import { SignIn } from "./sign-in.tsx";

const EVENT = { eventId: "E1", invitation: "KEY" };
const COMMUNITY = { eventId: "", invitation: "KEY" };
const NONE = { eventId: "", invitation: "" };
const OPEN = { isOpen: true };

/** Opens the form of a link; `mode` is the server's answer about sign-up. Returns the calls with their bodies. */
async function open(link: typeof EVENT, mode: object) {
  const calls: [string, object][] = [];
  const onDone = vi.fn();
  vi.stubGlobal("fetch", async (url: string, init: { body: string }) => {
    const method = url.split("/").at(-1)!;
    calls.push([method, JSON.parse(init.body)]);
    return Response.json(method === "GetSignUpMode" ? mode : { message: "A code is on its way." });
  });
  const place = await show(<SignIn link={link} onDone={onDone} />);
  return { place, calls, onDone };
}
const pick = (label: string) => act(async () => field(label).click());

// kept: Doors | A guest invited to an event without a public page waited for a code that was never sent | failed on the old code
test.each([
  ["an event", EVENT],
  ["the community", COMMUNITY],
  ["no one", NONE],
])("a new guest invited by %s gives their name with the key of the link", async (_by, link) => {
  const { calls, onDone } = await open(link, OPEN);
  await eventually(() => field("I am new here"));
  await pick("I am new here");
  await type(field("Email or phone"), "bea@example.org");
  await type(field("Your name"), " Bea ");
  await press("Send code");
  await type(field("Code"), "123456");
  await press("Sign in");
  const sent = { target: "bea@example.org", name: "Bea", ...link };
  expect(calls).toEqual([
    ["GetSignUpMode", link],
    ["SendLoginCode", sent],
    ["VerifyLoginCode", { ...sent, code: "123456" }],
  ]);
  expect(onDone).toHaveBeenCalledOnce();
});

// kept: Doors | With open sign-up, a guest who left the name empty read that a code was sent | failed on the old code
test.each([
  ["neither choice", undefined, "Choose whether you are new here"],
  ["a new guest without a name", "I am new here", "Enter your name"],
])("asks for no code for %s", async (_case, choice, problem) => {
  const { place, calls } = await open(NONE, OPEN);
  await eventually(() => field("I am new here"));
  if (choice !== undefined) await pick(choice);
  await type(field("Email or phone"), "bea@example.org");
  await press("Send code");
  expect(place.textContent).toContain(problem);
  expect(calls.map(([method]) => method)).toEqual(["GetSignUpMode"]);
});

test.each([
  ["a guest with an account", EVENT, OPEN, "I have an account"],
  ["a replaced invitation", EVENT, { says: "This invitation does not work any more." }, undefined],
  ["closed sign-up", NONE, { says: "Ask an Admin." }, undefined],
])("asks for a code without name and key for %s", async (_case, link, mode, choice) => {
  const { place, calls } = await open(link, mode);
  if (choice !== undefined) await pick(choice);
  expect(place.textContent?.includes("does not work any more")).toBe(JSON.stringify(mode).includes("any more"));
  await type(field("Email or phone"), "bea@example.org");
  await press("Send code");
  expect(calls.at(-1)).toEqual(["SendLoginCode", { target: "bea@example.org" }]);
});

test("joins without a code if the invitation stands for one", async () => {
  const { calls, onDone } = await open(EVENT, { isOpen: true, byLink: true });
  await pick("I am new here");
  await type(field("Email or phone"), "bea@example.org");
  await type(field("Your name"), "Bea");
  await press("Join");
  expect(calls.at(-1)).toEqual(["JoinByLink", { target: "bea@example.org", name: "Bea", ...EVENT }]);
  expect(onDone).toHaveBeenCalledOnce();
});
