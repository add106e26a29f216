import { setTimeout as sleep } from "node:timers/promises";

/** A demo night that cannot be made here; the message says why. */
class DemoError extends Error {}

const LOOK_MS = 250;

interface Place {
  /** Address of the running API. */
  readonly api: string;
  /** Bearer token of an Admin. */
  readonly token: string;
}

interface FirstSteps {
  readonly demoNight: { readonly state?: string; readonly says?: string };
}

/**
 * Has the server make its demo night unless it is there; one that was cut off is removed and made anew.
 * @throws DemoError when the server refuses, or cannot make it
 */
export async function seedDemo(place: Place, say: (line: string) => void): Promise<void> {
  let said = "";
  let isWanted = false;
  for (;;) {
    const { state, says = "" } = (await call(place, "GetFirstSteps")).demoNight;
    if (state === "made") return;
    if (state === "broken" && isWanted) throw new DemoError(`The demo night could not be made: ${says}`);
    if (state === "broken") await call(place, "RemoveDemoNight");
    if (state === "none") {
      await call(place, "MakeDemoNight");
      isWanted = true;
    }
    if (state === "making" && says !== said) say(`Making the demo night: ${(said = says)}`);
    await sleep(LOOK_MS);
  }
}

async function call({ api, token }: Place, method: string): Promise<FirstSteps> {
  const answer = await fetch(`${api}/followspot.firststeps.v1.FirstStepsService/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: "{}",
  });
  const reply = (await answer.json()) as FirstSteps & { readonly message?: string };
  if (!answer.ok) throw new DemoError(reply.message ?? `The server answered ${answer.status}.`);
  return reply;
}
