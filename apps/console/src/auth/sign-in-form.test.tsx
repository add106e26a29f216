// @vitest-environment jsdom
import { Code, ConnectError } from "@connectrpc/connect";
import { AuthService } from "@followspot/contract/auth";
import { expect, test, vi } from "vitest";
import { eventually, press, show, type } from "../testing/show.tsx";
import { SignInForm } from "./sign-in-form.tsx";

async function door() {
  const onDone = vi.fn();
  let sent = 0;
  const place = await show(<SignInForm onDone={onDone} />, {
    routes: ({ service }) =>
      service(AuthService, {
        sendLoginCode: ({ target }) => {
          if (++sent > 2) throw new ConnectError("5 codes were asked for.", Code.ResourceExhausted);
          return { success: true, message: `A code is on its way to ${target}${sent > 1 ? " again" : ""}.` };
        },
        verifyLoginCode: ({ code }) => {
          if (code !== "123456") throw new ConnectError("The code is wrong or too old.", Code.Unauthenticated);
          return { token: "t" };
        },
      }),
  });
  return { place, onDone, field: () => place.querySelector("input")! };
}

test("asks for an email or phone before it sends anything", async () => {
  const { place } = await door();
  await press("Send code");
  expect(place.querySelector("[role=alert]")?.textContent).toBe("Please enter your email or phone");
});

test("lets in with the code, blanks and all", async () => {
  const { place, onDone, field } = await door();
  await type(field(), "ada@example.org");
  await press("Send code");
  await eventually(() => expect(place.textContent).toContain("A code is on its way to ada@example.org."));
  await type(field(), "123 456");
  await press("Sign in");
  await eventually(() => expect(onDone).toHaveBeenCalledOnce());
});

test("says why a code is refused, and starts over with another address", async () => {
  const { place, onDone, field } = await door();
  await type(field(), "ada@example.org");
  await press("Send code");
  await eventually(() => expect(field().autocomplete).toBe("one-time-code"));
  await type(field(), "000000");
  await press("Sign in");
  await eventually(() => expect(place.textContent).toContain("The code is wrong or too old."));
  expect(onDone).not.toHaveBeenCalled();
  await press("Use another email or phone");
  expect(field().autocomplete).toBe("username");
});

test("sends the code again, and says when it is not sent any more", async () => {
  const { place, onDone, field } = await door();
  await type(field(), "ada@example.org");
  await press("Send code");
  await eventually(() => expect(field().autocomplete).toBe("one-time-code"));
  await type(field(), "000000");
  await press("Sign in");
  await eventually(() => expect(place.textContent).toContain("The code is wrong or too old."));
  await press("Send the code again");
  await eventually(() => expect(place.textContent).toContain("on its way to ada@example.org again."));
  expect(place.textContent).not.toContain("too old");
  await press("Send the code again");
  await eventually(() => expect(place.textContent).toContain("5 codes were asked for."));
  await type(field(), "123456");
  await press("Sign in");
  await eventually(() => expect(onDone).toHaveBeenCalledOnce());
});
