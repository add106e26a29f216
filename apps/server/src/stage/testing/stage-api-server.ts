import { createServer } from "node:http";
import { STAGE_HEADERS, type LightingPlan, type Output, type Rig, type StageQueue } from "@followspot/contract";

export const STAGE_SECRET = "a secret of sixteen characters";

export interface StageApiServer {
  readonly url: string;
  readonly port: number;
  /** By song ID; a plan may delay the stage. */
  readonly plans: Map<string, () => Promise<LightingPlan>>;
  /** Sets the rig and increments the revision. */
  setRig(rig: Rig, outputs: readonly Output[]): void;
  /** Sets what the queue plays; the position advances from now on. Increments the revision. */
  setQueue(queue: Partial<Omit<StageQueue, "revision">>): void;
  /** Songs during which a console took over the lights from the queue. */
  readonly taken: string[];
  /** Called once, just before main-api receives the next take-over. */
  beforeTaken: (() => void) | undefined;
  close(): Promise<void>;
}

const SILENT_QUEUE = { song_id: "", is_paused: false, position: 0, duration: 60, fade_seconds: 0, house_light: false };

/** Starts main-api as seen by the stage: rig, outputs, plans and the show queue over HTTP. */
export async function startStageApi(port = 0): Promise<StageApiServer> {
  const plans = new Map<string, () => Promise<LightingPlan>>();
  // A restarted API never has the revision of the one before.
  let state = { revision: Date.now(), rig: { lights: [], groups: [] } as Rig, outputs: [] as readonly Output[] };
  let queue: { readonly since: number; readonly told: StageQueue } = {
    since: Date.now(),
    told: { revision: Date.now(), turn: 0, ...SILENT_QUEUE },
  };
  const taken: string[] = [];
  const setQueue: StageApiServer["setQueue"] = (next) => {
    // Another song, unless the test sets the same turn.
    const [revision, turn] = [queue.told.revision + 1, queue.told.turn + 1];
    queue = { since: Date.now(), told: { ...SILENT_QUEUE, turn, ...next, revision } };
  };
  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    const send = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body));
    if (request.headers[STAGE_HEADERS.secret] !== STAGE_SECRET) return send(401, {});
    if (path === "/internal/stage/revision") return send(200, { revision: state.revision });
    if (path === "/internal/stage/rig") return send(200, state);
    if (path === "/internal/stage/queue") {
      const passed = queue.told.is_paused ? 0 : (Date.now() - queue.since) / 1000;
      return send(200, { ...queue.told, position: queue.told.position + passed });
    }
    const takenSong = /^\/internal\/stage\/queue\/taken\/(.+)$/.exec(path)?.[1];
    if (takenSong !== undefined) {
      api.beforeTaken?.();
      api.beforeTaken = undefined;
      taken.push(takenSong);
      if (takenSong === queue.told.song_id) setQueue({ house_light: true });
      return send(200, {});
    }
    const plan = plans.get(/^\/internal\/stage\/plans\/(.+)$/.exec(path)?.[1] ?? "");
    return plan ? send(200, await plan()) : send(404, {});
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  const bound = typeof address === "object" && address ? address.port : 0;
  const api: StageApiServer = {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    plans,
    setRig: (rig, outputs) => (state = { revision: state.revision + 1, rig, outputs }),
    setQueue,
    taken,
    beforeTaken: undefined,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return api;
}
