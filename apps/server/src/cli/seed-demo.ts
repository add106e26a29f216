import { setTimeout as sleep } from "node:timers/promises";
import type { CallApi } from "../platform/http/call-api.ts";

const LOOK_MS = 250;

interface FirstSteps {
  readonly demoNight: { readonly state?: string; readonly says?: string };
}

/**
 * Makes the server create its demo night unless it exists; an aborted one is removed and created again.
 *
 * @param call API calls as an Admin
 * @throws Error if the server rejects the request or fails
 */
export async function seedDemo(call: CallApi, say: (line: string) => void): Promise<void> {
  const ask = (method: string) => call<FirstSteps>(`firststeps.v1.FirstStepsService/${method}`, {});
  let said = "";
  let isWanted = false;
  for (;;) {
    const { state, says = "" } = (await ask("GetFirstSteps")).demoNight;
    if (state === "made") return;
    if (state === "broken" && isWanted) throw new Error(`The demo night could not be made: ${says}`);
    if (state === "broken") await ask("RemoveDemoNight");
    if (state === "none") {
      await ask("MakeDemoNight");
      isWanted = true;
    }
    if (state === "making" && says !== said) say(`Making the demo night: ${(said = says)}`);
    await sleep(LOOK_MS);
  }
}
