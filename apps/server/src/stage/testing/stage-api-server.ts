import { createServer } from "node:http";
import { STAGE_HEADERS, type LightingPlan, type Output, type Rig } from "@followspot/contract";

export const STAGE_SECRET = "a secret of sixteen characters";

export interface StageApiServer {
  readonly url: string;
  readonly port: number;
  /** By song id; a plan may let the stage wait for it. */
  readonly plans: Map<string, () => Promise<LightingPlan>>;
  /** Counts the revision up. */
  setRig(rig: Rig, outputs: readonly Output[]): void;
  close(): Promise<void>;
}

/** main-api as the stage knows it: rig, outputs and plans over HTTP. */
export async function startStageApi(port = 0): Promise<StageApiServer> {
  const plans = new Map<string, () => Promise<LightingPlan>>();
  // Another API is never at the revision of the one before.
  let state = { revision: Date.now(), rig: { lights: [], groups: [] } as Rig, outputs: [] as readonly Output[] };
  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    const send = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body));
    if (request.headers[STAGE_HEADERS.secret] !== STAGE_SECRET) return send(401, {});
    if (path === "/internal/stage/revision") return send(200, { revision: state.revision });
    if (path === "/internal/stage/rig") return send(200, state);
    const plan = plans.get(/^\/internal\/stage\/plans\/(.+)$/.exec(path)?.[1] ?? "");
    return plan ? send(200, await plan()) : send(404, {});
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  const bound = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    plans,
    setRig: (rig, outputs) => (state = { revision: state.revision + 1, rig, outputs }),
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
