import { create } from "@bufbuild/protobuf";
import type { ConnectRouter } from "@connectrpc/connect";
import type { BoxHolds } from "@followspot/contract";
import {
  BoxSchema,
  HoldingsSchema,
  LampPartSchema,
  VenueSchema,
  VenueService,
  type Venue,
} from "@followspot/contract/venue";
import { findEvent } from "../../events/events.store.ts";
import { hasOddText } from "../../songs/catalog/odd-text.ts";
import { requireCaller } from "../../platform/caller.ts";
import { change, done, type Entry } from "../../platform/database/change.ts";
import type { Sql, Tx } from "../../platform/database/database.ts";
import { alreadyExists, conflict, exhausted, invalid, notFound } from "../../platform/errors.ts";
import { newId } from "../../platform/database/ids.ts";
import { findLampPart, setLampPart, type LampPartRow } from "../../lights/standby-role.ts";
import { hashOfToken, newMachineToken } from "../machine-token.ts";
import { timestampOf } from "../../platform/database/timestamps.ts";
import { findBox, holdsOf, type BoxRow } from "./box.store.ts";
import { ownMigration, whyNoFit } from "./fitting.ts";
import * as store from "./venues.store.ts";
import { countUntold } from "./what-happened.ts";

/** Maximum number of venues of one office. */
const MOST_VENUES = 200;

/** Returns the RPC methods for venues of this office, and for the sync state if this installation is a venue server. */
export function venueRoutes({ sql }: { readonly sql: Sql }): (router: ConnectRouter) => void {
  const toAll = async (rows: readonly store.VenueRow[]) => {
    const own = await ownMigration();
    return rows.map((row) => toVenue(row, own));
  };
  const toOne = async (row: store.VenueRow) => toVenue(row, await ownMigration());
  return (router) =>
    router.service(VenueService, {
      listVenues: async () => ({ venues: await toAll(await store.listVenues(sql)) }),

      addVenue: async ({ name: given, isStandby }, context) => {
        const caller = requireCaller(context);
        const name = nameOf(given);
        const token = newMachineToken("fsv");
        return change(sql, caller, async (tx) => {
          if ((await store.listVenues(tx)).length >= MOST_VENUES)
            throw exhausted(`There are ${MOST_VENUES} venues already. Revoke one first.`);
          const id = newId();
          const venue = { id, name, tokenHash: hashOfToken(token), addedBy: caller.userId, isStandby };
          if (!(await store.insertVenue(tx, venue)))
            throw alreadyExists(`There is a venue called ${name} already. Choose another name.`);
          const row = await requireVenue(tx, id);
          return done(
            { venue: await toOne(row), token },
            entryOf(row, "added", { after: { name, is_standby: isStandby } }),
          );
        });
      },

      setTonight: ({ venueId, eventId, playlistIds }, context) =>
        change(sql, requireCaller(context), async (tx) => {
          const before = await requireVenue(tx, venueId);
          const event = eventId === "" ? undefined : await findEvent(tx, eventId);
          if (eventId !== "" && (!event || event.deleted_at)) throw notFound("Event", eventId);
          await store.setTonight(tx, venueId, eventId === "" ? null : { eventId, playlistIds });
          const row = await requireVenue(tx, venueId);
          const what = ({ event_id, playlist_ids }: store.VenueRow) => ({ event_id, playlist_ids });
          return done(
            { venue: await toOne(row) },
            entryOf(row, "set_tonight", { before: what(before), after: what(row) }),
          );
        }),

      revokeVenue: ({ venueId }, context) =>
        change(sql, requireCaller(context), async (tx) => {
          const row = await requireVenue(tx, venueId);
          await store.revokeVenue(tx, venueId);
          return done({}, entryOf(row, "revoked", { before: { name: row.name } }));
        }),

      getBox: async () => {
        const [row, part] = [await findBox(sql), await findLampPart(sql)];
        const lamps = part && toLampPart(part);
        return { ...(row && { box: await toBox(sql, row) }), ...(lamps && { lamps }) };
      },

      takeLamps: (_request, context) =>
        change(sql, requireCaller(context), async (tx) => {
          const own = await findLampPart(tx);
          if (own?.part === "follows") await setLampPart(tx, "leads");
          else if (own?.part === "yields") await setLampPart(tx, "takes");
          else return done({});
          return done({}, lampsEntry("taken"));
        }),

      handBackLamps: (_request, context) =>
        change(sql, requireCaller(context), async (tx) => {
          const own = await findLampPart(tx);
          if (own?.part !== "leads") return done({});
          if (!doesAnswer(own))
            throw conflict("The first machine does not answer. Start it, then hand the lamps back.");
          await setLampPart(tx, "follows");
          return done({}, lampsEntry("handed_back"));
        }),
    });
}

function nameOf(given: string): string {
  const name = given.trim();
  if (name === "") throw invalid("name: is required");
  if (hasOddText(name)) throw invalid("name: holds control characters. Take them out.");
  return name;
}

/** @throws not_found for a missing or revoked venue */
async function requireVenue(tx: Tx, id: string): Promise<store.VenueRow> {
  const row = await store.lockVenue(tx, id);
  if (!row) throw notFound("Venue", id);
  return row;
}

/** Published on no topic: the page Workers polls. */
const entryOf = ({ id }: store.VenueRow, verb: string, change: Pick<Entry, "before" | "after">): Entry => ({
  ...{ noun: "venue", id, verb, topics: [] },
  ...change,
});

function toVenue(row: store.VenueRow, own: string): Venue {
  const { id, name, version, playlist_ids, holds } = row;
  return create(VenueSchema, {
    ...{ id, name, version },
    isStandby: row.is_standby,
    state: row.seen_at === null ? "new" : row.is_here ? "here" : "away",
    seenAt: timestampOf(row.seen_at),
    says: (row.seen_at && whyNoFit(row, own)) || (holds?.says ?? ""),
    eventId: row.event_id ?? "",
    eventTitle: row.event_title ?? "",
    playlistIds: [...playlist_ids],
    ...(holds && { holds: toHoldings(holds) }),
    addedByName: row.added_by_name ?? "",
    addedAt: timestampOf(row.added_at),
  });
}

async function toBox(sql: Sql, { office, venue, cut_since, says }: BoxRow) {
  const holds = toHoldings(await holdsOf(sql, await countUntold(sql)));
  return create(BoxSchema, { office, venue, says, holds, cutSince: timestampOf(cut_since) });
}

/** Age of the last contact up to which the other machine counts as responding, s; contacts come four times a second. */
const HEARD_SECONDS = 5;
const doesAnswer = ({ heard_at }: LampPartRow): boolean =>
  heard_at !== null && Date.now() - heard_at.getTime() < HEARD_SECONDS * 1000;

function toLampPart(row: LampPartRow) {
  // A machine that is taking the fixtures back drives them.
  if (row.part === "takes") return undefined;
  const { part, since, says } = row;
  return create(LampPartSchema, { part, since: timestampOf(since), otherAnswers: doesAnswer(row), says });
}

const lampsEntry = (verb: string): Entry => ({ noun: "lamps", id: "all", verb, topics: [] });

function toHoldings({ event, songs, songs_of, bytes, people, whole_at, waiting }: BoxHolds) {
  const wholeAt = timestampOf(whole_at === "" ? null : new Date(whole_at));
  return create(HoldingsSchema, { event, songs, songsOf: songs_of, bytes: BigInt(bytes), people, wholeAt, waiting });
}
