// @vitest-environment jsdom
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { AuthService } from "@followspot/contract/auth";
import { expect, test, vi } from "vitest";
import { button, eventually, press, show } from "../testing/show.tsx";
import { Toasts } from "../ui/toast.tsx";
import { SessionList } from "./session-list.tsx";
import { SessionsDialog } from "./sessions-dialog.tsx";
import { SignInLinkPage } from "./sign-in-link-page.tsx";

/** Holds sessions as the server does. */
function sessionServer(ids: string[], current = "here") {
  const running = new Set(ids);
  const asked: string[] = [];
  const routes = (router: ConnectRouter) => {
    router.service(AuthService, {
      listSessions: ({ userId }) => {
        asked.push(userId);
        return {
          sessions: [...running].map((id) => ({
            id,
            client: `Browser ${id}`,
            note: "code",
            isCurrent: id === current,
          })),
        };
      },
      endSession: ({ sessionId }) => {
        if (!running.delete(sessionId)) throw new ConnectError("it has ended", Code.NotFound);
        return { success: true };
      },
      signOutEverywhere: () => {
        const others = [...running].filter((id) => id !== current);
        for (const id of others) running.delete(id);
        return { ended: others.length };
      },
    });
  };
  return { running, asked, routes };
}
const open = (server: ReturnType<typeof sessionServer>, userId = "") =>
  show(
    <>
      {userId === "" ? <SessionsDialog onClose={() => undefined} /> : <SessionList userId={userId} />}
      <Toasts />
    </>,
    { routes: server.routes },
  );
const shown = () => [...document.querySelectorAll("li")].map((row) => row.textContent);

test("the own session comes first, is marked and cannot be ended here; another one is ended by its button", async () => {
  const server = sessionServer(["phone", "library", "here"]);
  await open(server);
  await eventually(() => expect(shown()).toHaveLength(3));
  expect(shown()[0]).toContain("This one");
  await press("End the session of Browser phone");
  await eventually(() => expect(shown()).toHaveLength(2));
  expect([...server.running]).toEqual(["library", "here"]);
});

test("all others are ended at once, and it is said how many", async () => {
  const server = sessionServer(["here", "phone", "library"]);
  await open(server);
  await eventually(() => expect(button("Sign out everywhere else")).toBeTruthy());
  await press("Sign out everywhere else");
  await eventually(() => expect(shown()).toHaveLength(1));
  expect(document.body.textContent).toContain("Ended 2 sessions");
  expect(document.body.textContent).not.toContain("Sign out everywhere else");
});

test("a session that ended meanwhile says so and leaves the list", async () => {
  const server = sessionServer(["here", "phone"]);
  await open(server);
  await eventually(() => expect(shown()).toHaveLength(2));
  server.running.delete("phone");
  await press("End the session of Browser phone");
  await eventually(() => expect(document.body.textContent).toContain("It has ended"));
  await eventually(() => expect(shown()).toHaveLength(1));
});

test("another person's sessions are asked for by their id and can all be ended", async () => {
  const server = sessionServer(["phone", "library"], "elsewhere");
  await open(server, "u7");
  await eventually(() => expect(shown()).toHaveLength(2));
  expect(server.asked).toEqual(["u7"]);
  await press("Sign out everywhere");
  await eventually(() => expect(document.body.textContent).toContain("Signed in nowhere."));
});

test("opening a sign-in link does not use it up: that takes a press", async () => {
  const asked: unknown[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (url) => {
    asked.push(url);
    return Response.json({ code: "unauthenticated", message: "This link was used or has run out." }, { status: 401 });
  });
  await show(<SignInLinkPage token="secret" onDone={() => undefined} onStay={() => undefined} />);
  await eventually(() => expect(button("Sign in")).toBeTruthy());
  expect(asked).toEqual([]);
  await press("Sign in");
  await eventually(() => expect(document.body.textContent).toContain("This link was used or has run out."));
  expect(String(asked[0])).toContain("/UseSignInLink");
});

// kept: Console | A sign-in link that was opened while signed in was dropped without a word | failed on the old code
test("a sign-in link opened while signed in says as whom, and lets one stay", async () => {
  const stay = vi.fn();
  await show(<SignInLinkPage token="secret" signedInAs="Jo" onDone={() => undefined} onStay={stay} />);
  await eventually(() => expect(document.body.textContent).toContain("This browser is signed in as Jo."));
  await press("Stay Jo");
  expect(stay).toHaveBeenCalledOnce();
});
