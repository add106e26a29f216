import { fork } from "node:child_process";
import { join } from "node:path";
import { newId } from "../../apps/server/src/platform/database/ids.ts";
import { ENGINE } from "../../apps/server/src/operations/supervisor/keep-running.ts";
import { stopChild } from "../../apps/server/src/operations/supervisor/processes.ts";
import { ROOT } from "../../e2e/testing/product.ts";
import { post } from "../api/calls.ts";
import { MARK, type Heard } from "../sockets/asks.ts";
import { askListeners, causeEvents } from "../sockets/crowd.ts";
import type { Office, Started } from "./office.ts";

/**
 * How soon clients hear of a change, who are spread evenly over some APIs.
 * @param hellos what each client says first
 */
export async function measureSockets(
  office: Office,
  apis: readonly Started[],
  { hellos, events }: { readonly hellos: readonly string[]; readonly events: number },
): Promise<Heard> {
  const talkId = newId();
  await office.sql`insert into talks (id, title) values (${talkId}, 'Talk')`;
  const ports = apis.map(({ url }) => Number(new URL(url).port));
  const path = "/followspot.talk.v1.TalkService/UpdateTalk";
  // The changes are made at each in turn.
  const cause = (n: number) => post(ports[n % ports.length]!, path, { talkId, title: `${MARK}${n} ` }, office.token);
  await cause(events); // warm; no socket hears it
  const listeners = fork(join(ROOT, "bench/sockets/listeners.ts"), {
    env: { PATH: process.env.PATH, ...ENGINE.env },
    execArgv: [...ENGINE.execArgv],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  try {
    for (const [at, port] of ports.entries()) {
      const own = hellos.filter((_, n) => n % ports.length === at);
      const { closed } = await askListeners<{ closed: number }>(listeners, {
        ...{ do: "join", port, path: "/ws/events", hellos: own },
      });
      if (closed > 0) throw new Error(`${closed} of ${hellos.length} clients were not let in`);
    }
    const begun = await causeEvents(events, cause);
    return await askListeners<Heard>(listeners, { do: "tell", begun });
  } finally {
    await stopChild(listeners, "SIGTERM", 5000);
  }
}
