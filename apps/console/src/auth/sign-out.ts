import { callUnaryMethod } from "@connectrpc/connect-query";
import { AuthService } from "@followspot/contract/auth";
import { serverPath } from "../lib/base-path.ts";
import { plainErrorText, isUnauthenticated } from "../lib/errors.ts";
import { forgetChoices } from "../lib/recent-choices.ts";
import { transport } from "../lib/transport.ts";
import { showToast } from "../ui/toast.tsx";

/** Ends all tokens and sockets of the session, then reloads the page, so that none of its data stays in memory. */
export async function signOut(): Promise<void> {
  try {
    await callUnaryMethod(transport, AuthService.method.signOut, {});
  } catch (error) {
    if (!isUnauthenticated(error)) {
      showToast(plainErrorText(error), { bad: true });
      return;
    }
  }
  forgetChoices();
  window.location.assign(serverPath("/admin"));
}
