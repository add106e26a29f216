import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { NightService } from "@followspot/contract/night";
import type { LightRow } from "../lights/lights.store.ts";
import { findLight } from "../lights/lights.store.ts";
import { requireCaller } from "../platform/caller.ts";
import { change, done } from "../platform/change.ts";
import { notFound } from "../platform/errors.ts";
import { forgetLampsSeen, noteLampSeen, type LampSeenRow } from "./lamps-seen.store.ts";
import { readNightReport } from "./night-report.ts";
import { readFacts, readLampWalk, type PreflightPorts } from "./preflight-facts.ts";
import { preflight } from "./preflight.ts";

/** A night as a whole. */
export function nightRoutes(ports: PreflightPorts) {
  const { sql } = ports;
  return (router: ConnectRouter) =>
    router.service(NightService, {
      checkPreflight: async ({ playlistIds, clientTime }) => {
        const facts = await readFacts(ports, playlistIds, clientTime && timestampMs(clientTime));
        const { lights, seen } = await readLampWalk(sql);
        return {
          lines: preflight(facts).map(({ retries = [], ...line }) => ({ ...line, retries: [...retries] })),
          lamps: lights.map((light) => toLamp(light, seen.get(light.id))),
          checkedAt: timestampFromMs(Date.now()),
        };
      },

      noteLampSeen: ({ lightId, isSeen }, context) =>
        change(sql, requireCaller(context), async (tx) => {
          const light = await findLight(tx, lightId);
          if (!light) throw notFound("Light", lightId);
          const row = await noteLampSeen(tx, light.id, isSeen);
          const after = { lamp: light.label, is_seen: isSeen };
          return done({ lamp: toLamp(light, row) }, { ...ENTRY, verb: "lamp_seen", after });
        }),

      forgetLampsSeen: (_request, context) =>
        change(sql, requireCaller(context), async (tx) => {
          const forgotten = await forgetLampsSeen(tx);
          return forgotten === 0 ? done({ forgotten }) : done({ forgotten }, { ...ENTRY, verb: "lamps_forgotten" });
        }),

      getNightReport: async ({ eventId }) => ({ report: await readNightReport(sql, eventId) }),
    });
}

const ENTRY = { noun: "preflight", id: "all" } as const;

function toLamp({ id, label }: LightRow, row: LampSeenRow | undefined) {
  return {
    lightId: id,
    label,
    ...(row && { isSeen: row.is_seen, seenAt: timestampFromMs(row.seen_at.getTime()) }),
  };
}
