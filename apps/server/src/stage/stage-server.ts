import type { Server } from "node:http";
import type { LightingPlan } from "@followspot/contract";
import { monotonicMs } from "./frame-ring.ts";
import { PlaybackSockets } from "./playback-socket.ts";
import { Playback } from "./playback.ts";
import { QueueFollower } from "./queue-follower.ts";
import { RigFeed } from "./rig-feed.ts";
import { sourceIdentity } from "./source-identity.ts";
import { fetchPlan } from "./stage-api.ts";
import type { StageConfig } from "./stage-config.ts";
import { createStageHttp } from "./stage-http.ts";
import { StageMemory, type StageState } from "./stage-memory.ts";
import { Stage } from "./stage.ts";

export interface StageServer {
  readonly port: number;
  /** Dark, terminated, silent; nothing is left open. */
  close(): Promise<void>;
}

/** The stage process without its process: sockets in, DMX out. Listens on loopback only. */
export async function startStage(config: StageConfig): Promise<StageServer> {
  const playback = new Playback();
  const memory = new StageMemory(config.dataDir);
  const stage = new Stage(sourceIdentity(config.dataDir), (ms) => playback.sceneAt(ms));
  let rig: NonNullable<StageState["lit"]> = { rig: { lights: [], groups: [] }, outputs: [] };

  const refresh = () => {
    stage.refresh();
    remember();
  };
  const remember = () => {
    const isLit = playback.sceneAt(monotonicMs()).kind === "show";
    memory.keep({ blackout: playback.blackout, lit: isLit ? rig : null });
  };
  recover(memory.recall());

  const feed = new RigFeed(config, ({ rig: lights, outputs }) => {
    rig = { rig: lights, outputs };
    stage.setRig(lights, outputs);
    remember();
    sockets.broadcast();
  });
  const plans = {
    bind: (plan: LightingPlan) => stage.setPlan(plan),
    fetchPlan: async (songId: string) => {
      const [plan] = await Promise.all([fetchPlan(config, songId), feed.refresh()]);
      return plan;
    },
  };
  const sockets = new PlaybackSockets({ playback, refresh, outputCount: () => stage.outputs.length, ...plans });
  const queue = new QueueFollower({
    config,
    playback,
    ...plans,
    refresh: () => {
      refresh();
      sockets.broadcast();
    },
  });
  const server = createStageHttp({
    secret: config.secret,
    health: () => ({
      mode: playback.mode,
      song_id: playback.songId,
      blackout: playback.blackout,
      ...stage.health(),
    }),
    setBlackout: (on) => {
      playback.setBlackout(on);
      refresh();
      sockets.broadcast();
    },
    onQueue: () => queue.look(),
    onSocket: (socket, songId) => sockets.add(socket, songId),
  });

  /** A stage that was killed in the middle of a show left its lamps as they were: the house look comes first. */
  function recover(left: StageState | undefined): void {
    if (!left) return;
    playback.setBlackout(left.blackout);
    if (!left.lit) return;
    rig = left.lit;
    playback.recover();
    stage.setRig(rig.rig, rig.outputs);
    remember();
  }

  const port = await listen(server, config.port);
  return {
    port,
    close: async () => {
      feed.close();
      queue.close();
      await stage.close(); // dark first, everything else after
      sockets.close();
      server.closeAllConnections();
      server.close();
      await memory.forget();
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : port);
    });
  });
}
