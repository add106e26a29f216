import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import {
  askTonightSchema,
  boxHelloSchema,
  rigCopySchema,
  settleSchema,
  standbyAskSchema,
  VENUE_HEADERS,
  VENUE_PATHS,
  type BoxWelcome,
  type FirstNow,
  type RigCopy,
  type Settled,
  type TableMarks,
  type Tonight,
} from "@followspot/contract";
import type { FastifyRequest } from "fastify";
import { isSongId, type SongFiles } from "../../songs/catalog/song-files.ts";
import type { Sql } from "../../platform/database/database.ts";
import { conflict, notFound, overtaken, unauthenticated } from "../../platform/errors.ts";
import { hashOfFile } from "../../platform/files/hash-of-file.ts";
import type { HttpServer } from "../../platform/http/http-server.ts";
import { instanceOf, parseBody, tokenOf } from "../machine-requests.ts";
import { hashOfToken, isMachineToken } from "../machine-token.ts";
import { VERSION } from "../../platform/process/version.ts";
import { ownMigration, whyNoFit } from "./fitting.ts";
import { firstNow, type FirstNowPorts } from "./first-now.ts";
import { isOfShow, markOfTonight, marksOfTables, readTonight, type FileHashes } from "./read-tonight.ts";
import { readRigCopy } from "./rig-copy.ts";
import { settle } from "./settle.ts";
import { songsOf, type TonightOf } from "./tonight.ts";
import { findRig, findVenueByToken, storeBoxHello, storeRig, type VenueRow } from "./venues.store.ts";

export interface VenuesHttpPorts {
  readonly sql: Sql;
  readonly files: SongFiles;
  readonly secret: Uint8Array;
  /** Name of the office's community. */
  readonly office: string;
  readonly stage: FirstNowPorts["stage"];
  readonly onQueue: FirstNowPorts["onQueue"];
}

/** Maximum size of the marks that a venue server sends, bytes: enough for a few thousand people. */
const HELD_BYTES = 8_000_000;
const RIG_BYTES = 40_000_000;

type OfFile = { Params: { song: string; name: string } };

/**
 * Registers the HTTP endpoints for venue servers. Each request carries the token of a venue and can read files of its
 * own snapshot only.
 */
export function registerVenuesHttp({ app }: HttpServer, ports: VenuesHttpPorts): void {
  const { sql, files, secret, office } = ports;
  const hashes: FileHashes = new Map();
  void app.register(async (scope) => {
    const own = await ownMigration();
    const admitted = new WeakMap<FastifyRequest, VenueRow>();
    const venueOf = (request: FastifyRequest) => admitted.get(request)!; // the hook below rejects all others
    scope.addHook("onRequest", async (request) => void admitted.set(request, await admit(sql, request)));

    scope.post(VENUE_PATHS.hello, async (request): Promise<BoxWelcome> => {
      const venue = venueOf(request);
      const hello = parseBody(boxHelloSchema, request.body);
      // A start takes over the token; the previous process is rejected at its next request.
      if (!hello.is_start) requireInstance(venue, request);
      await storeBoxHello(sql, venue.id, instanceOf(request, VENUE_HEADERS.instance), hello);
      const says = whyNoFit(hello, own);
      const of = says === "" ? tonightOf(venue) : undefined;
      const mark = of ? await markOfTonight(sql, of) : "";
      const time = new Date().toISOString();
      const { name, is_standby } = venue;
      // A standby copies the rig of this machine continuously instead.
      const has_rig = !is_standby && venue.has_rig && says === "";
      return { office, venue: name, version: VERSION, time, says, mark, has_rig, is_standby };
    });

    scope.post(VENUE_PATHS.now, async (request): Promise<FirstNow> => {
      const { is_standby } = requireInstance(venueOf(request), request);
      if (!is_standby) throw conflict("This box is no standby. Add one on the page Workers.");
      return firstNow(ports, parseBody(standbyAskSchema, request.body));
    });

    scope.get(VENUE_PATHS.marks, async (request): Promise<TableMarks> => {
      return marksOfTables(sql, requireTonight(requireInstance(venueOf(request), request)), secret);
    });

    scope.post(VENUE_PATHS.tonight, { bodyLimit: HELD_BYTES }, async (request): Promise<Tonight> => {
      const of = requireTonight(requireInstance(venueOf(request), request));
      return readTonight(sql, of, parseBody(askTonightSchema, request.body), { files, secret, hashes });
    });

    scope.get<OfFile>(`${VENUE_PATHS.files}/:song/:name`, async (request, reply) => {
      const of = requireTonight(requireInstance(venueOf(request), request));
      const { song, name } = request.params;
      const [row] = isSongId(song)
        ? await sql<{ plan_number: number }[]>`
            select plan_number from songs where id = ${song} and id in ${songsOf(sql, of)}`
        : [];
      const path = row && isOfShow(name, row.plan_number) ? await files.localCopy(song, name) : undefined;
      if (path === undefined) throw notFound("File", name);
      return (
        reply
          // An analysis is compressed in transit; audio would gain nothing.
          .header("content-type", name.endsWith(".json") ? "application/json" : "application/vnd.followspot.sound")
          .header("content-length", (await stat(path)).size)
          .header("cache-control", "no-store")
          .header(VENUE_HEADERS.sha256, await hashOfFile(path))
          .send(createReadStream(path))
      );
    });

    scope.post(VENUE_PATHS.settle, async (request): Promise<Settled> => {
      const venue = requireInstance(venueOf(request), request);
      return settle(sql, venue, parseBody(settleSchema, request.body).happened);
    });

    scope.get(VENUE_PATHS.rig, async (request): Promise<RigCopy> => {
      const { id, is_standby } = requireInstance(venueOf(request), request);
      return is_standby ? readRigCopy(sql) : ((await findRig(sql, id)) ?? { tables: [] });
    });

    scope.post(VENUE_PATHS.rig, { bodyLimit: RIG_BYTES }, async (request) => {
      const { id } = requireInstance(venueOf(request), request);
      await storeRig(sql, id, parseBody(rigCopySchema, request.body));
      return {};
    });
  });
}

const tonightOf = ({ event_id, playlist_ids }: VenueRow): TonightOf | undefined =>
  event_id === null ? undefined : { eventId: event_id, playlistIds: playlist_ids };

function requireTonight(venue: VenueRow): TonightOf {
  const of = tonightOf(venue);
  if (!of) throw conflict("No event is chosen for this venue");
  return of;
}

/** Authenticates a request. @returns the venue of its token @throws unauthenticated */
async function admit(sql: Sql, request: FastifyRequest): Promise<VenueRow> {
  const token = tokenOf(request);
  const venue = isMachineToken("fsv", token) ? await findVenueByToken(sql, hashOfToken(token)) : undefined;
  if (!venue) throw unauthenticated("This venue's token is unknown or was revoked. Add the venue on the page Workers.");
  return venue;
}

/** @throws aborted if another process has taken over the token */
function requireInstance(venue: VenueRow, request: FastifyRequest): VenueRow {
  if (venue.instance !== instanceOf(request, VENUE_HEADERS.instance))
    throw overtaken("Another box started with this token");
  return venue;
}
