// @vitest-environment jsdom
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { UserService } from "@followspot/contract/user";
import { act } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { button, eventually, field, press, show } from "../testing/show.tsx";
import { SignUpDialog } from "./sign-up-dialog.tsx";

/** Sign-up mode stored on the fake server. */
let mode: string;
let codeBy: string;
let links: number;
let fails: boolean;
const closed = vi.fn<() => void>();
const signUp = () => ({
  signUp: {
    mode,
    codeBy,
    warning: codeBy === "mail" ? "Nothing can be sent." : "",
    invitationPath: mode === "invitation" ? `/me#invitation=KEY${links}` : "",
  },
});
const routes = (router: ConnectRouter): void => {
  router.service(UserService, {
    getSignUp: () => {
      if (fails) throw new ConnectError("The database is not reachable", Code.Unavailable);
      return signUp();
    },
    setSignUp: (request) => {
      if (fails) throw new ConnectError("The database is not reachable", Code.Unavailable);
      mode = request.mode;
      codeBy = request.codeBy ?? codeBy;
      return signUp();
    },
    renewInvitation: () => {
      links++;
      return signUp();
    },
  });
};
beforeEach(() => {
  mode = "closed";
  codeBy = "mail";
  links = 1;
  fails = false;
  closed.mockClear();
});

const open = () => show(<SignUpDialog onClose={closed} />, { routes });
const page = () => document.body.textContent;
const choose = (label: string) => act(async () => field(label).click());
const address = () => field("Address of the invitation").value;

test("shows the current sign-up mode, and explains a change before it is saved", async () => {
  await open();
  await eventually(() => expect(field("Closed").checked).toBe(true));
  expect(() => button("Save")).toThrow();
  await choose("Open");
  expect(page()).toContain("Codes are sent to any email and phone that asks");
  expect(mode).toBe("closed");
  await press("Save");
  await eventually(() => expect(() => button("Save")).toThrow());
  expect([mode, field("Open").checked]).toEqual(["open", true]);
});

test("shows the invitation link after the mode is saved, and asks before replacing it", async () => {
  await open();
  await eventually(() => field("By invitation"));
  await choose("By invitation");
  expect(() => field("Address of the invitation")).toThrow();
  await press("Save");
  await eventually(() => expect(address()).toMatch(/\/me#invitation=KEY1$/));
  await press("New link");
  expect([page()?.includes("will open nothing any more"), links]).toEqual([true, 1]);
  const confirm = [...document.querySelectorAll<HTMLElement>("[role=alertdialog] button")].at(-1)!;
  await act(async () => confirm.click());
  await eventually(() => expect(address()).toMatch(/KEY2$/));
});

test("asks before an unsaved choice is discarded", async () => {
  await open();
  await eventually(() => field("Open"));
  await choose("Open");
  await press("Close");
  expect(closed).not.toHaveBeenCalled();
  expect(document.querySelector("[role=alertdialog]")).not.toBeNull();
});

test("shows load and save errors, and preserves the choice", async () => {
  fails = true;
  await open();
  await eventually(() => expect(page()).toContain("The database is not reachable"));
  fails = false;
  await press("Retry");
  await eventually(() => field("Open"));
  await choose("Open");
  fails = true;
  await press("Save");
  await eventually(() => expect(page()).toContain("The database is not reachable"));
  expect([field("Open").checked, mode]).toEqual([true, "closed"]);
});

test.each(["By the invitation link itself", "Read out by staff"])(
  "says what it means that guests sign in %s, and saves it without another mode",
  async (label) => {
    await open();
    await eventually(() => expect(page()).toContain("Nothing can be sent."));
    await choose(label);
    await press("Save");
    await eventually(() => expect(() => button("Save")).toThrow());
    expect([mode, codeBy]).toEqual(["closed", label.startsWith("Read") ? "staff" : "link"]);
    expect(page()).not.toContain("Nothing can be sent.");
  },
);
