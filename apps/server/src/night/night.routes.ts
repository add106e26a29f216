import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { NightService } from "@followspot/contract/night";
import type { LightRow } from "../lights/lights.store.ts";
import { findLight } from "../lights/lights.store.ts";
import { requireCaller } from "../platform/caller.ts";
import { change, done } from "../platform/database/change.ts";
import { invalid, notFound } from "../platform/errors.ts";
import { forgetLampsSeen, noteLampSeen, type LampSeenRow } from "./lamps-seen.store.ts";
import { readNightReport } from "./night-report.ts";
import { readFacts, readLampWalk, type PreflightPorts } from "./preflight-facts.ts";
import { preflight } from "./preflight.ts";
import { Rehearsals } from "./rehearsals.ts";
import { isZone } from "./report-csv.ts";
import { MOST_ROWS, MOST_SONGS } from "./report.store.ts";

/** Returns the RPC methods for preflight, rehearsals and the night report. */
export function nightRoutes(ports: PreflightPorts) {
  const { sql } = ports;
  const rehearsals = new Rehearsals(ports);
  return (router: ConnectRouter) =>
    router.service(NightService, {
      checkPreflight: async ({ playlistIds, clientTime }, { requestHeader }) => {
        const clockMs = clientTime && timestampMs(clientTime);
        const facts = await readFacts(ports, playlistIds, { host: pageHost(requestHeader), clockMs });
        const { lights, seen } = await readLampWalk(sql);
        return {
          lines: preflight(facts).map(({ retries = [], places = [], ...line }) => ({
            ...line,
            retries: [...retries],
            places: [...places],
          })),
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

      rehearseNight: async ({ eventId, playlistIds, talkMinutes = TALK_MINUTES, zone }, { signal }) => {
        if (zone !== "" && !isZone(zone)) throw invalid("zone: name a time zone such as Europe/Vienna");
        const options = { eventId, playlistIds, talkMinutes, zone };
        const { facts, moments, findings } = await rehearsals.run(options, signal);
        return {
          eventTitle: facts.title,
          startsAt: timestampFromMs(facts.startsAt),
          endsAt: timestampFromMs(facts.endsAt),
          moments: moments.slice(0, MOST_SONGS).map(({ at, ...moment }) => ({ ...moment, at: timestampFromMs(at) })),
          findings: findings.slice(0, MOST_ROWS).map(({ at, retries = [], ...finding }) => ({
            ...finding,
            ...(at !== undefined && { at: timestampFromMs(at) }),
            retries: [...retries],
          })),
          songsRendered: facts.light.length,
          zone: facts.zone,
        };
      },

      getRehearsalProgress: () => {
        const { progress } = rehearsals;
        return { isRunning: progress !== undefined, ...progress };
      },

      getNightReport: async ({ eventId }) => ({ report: await readNightReport(sql, eventId) }),
    });
}

/** Assumed duration of a talk, minutes. */
const TALK_MINUTES = 20;

/** Returns the host of the page that calls; a proxy may replace `Host`, but not `Origin`. */
function pageHost(headers: Headers): string {
  const origin = headers.get("origin") ?? "";
  return URL.canParse(origin) ? new URL(origin).host : (headers.get("host") ?? "");
}

const ENTRY = { noun: "preflight", id: "all" } as const;

function toLamp({ id, label }: LightRow, row: LampSeenRow | undefined) {
  return {
    lightId: id,
    label,
    ...(row && { isSeen: row.is_seen, seenAt: timestampFromMs(row.seen_at.getTime()) }),
  };
}
