import type { ServiceImpl } from "@connectrpc/connect";
import { lookSchema, type Look } from "@followspot/contract";
import type { MusicService } from "@followspot/contract/music";
import { requireCaller } from "../../platform/caller.ts";
import { change, done, type Entry } from "../../platform/database/change.ts";
import type { Sql, Tx } from "../../platform/database/database.ts";
import { alreadyExists, exhausted, invalid, notFound } from "../../platform/errors.ts";
import { newId } from "../../platform/database/ids.ts";
import { timestampOf } from "../../platform/database/timestamps.ts";
import * as store from "../catalog/looks.store.ts";
import { hasOddText } from "../catalog/odd-text.ts";

/** Most looks in the library; more could not be found again. */
const MOST_LOOKS = 200;

/** Methods for the library of looks that members of the community made. */
export function lookMethods({ sql }: { readonly sql: Sql }) {
  return {
    async listLooks() {
      return { looks: (await store.listLooks(sql)).map(toWire) };
    },

    async saveLook({ name: given, lookJson }, context) {
      const look = parseLook(lookJson);
      const name = nameOf(given);
      return change(
        sql,
        requireCaller(context),
        async (tx) => {
          if ((await store.listLooks(tx)).length >= MOST_LOOKS)
            throw exhausted(`There are ${MOST_LOOKS} looks already. Delete one first.`);
          const row = await store.insertLook(tx, newId(), name, look);
          if (!row) throw taken(name);
          return done({ look: toWire(row) }, lookEntry(row, "created", { after: summary(row) }));
        },
        ["looks"],
      );
    },

    async renameLook({ lookId, name: given }, context) {
      const name = nameOf(given);
      return change(
        sql,
        requireCaller(context),
        async (tx) => {
          const before = await requireLook(tx, lookId);
          const row = await store.renameLook(tx, lookId, name);
          if (!row) throw taken(name);
          const kept = { before: { name: before.name }, after: { name: row.name } };
          return done({ look: toWire(row) }, ...(before.name === row.name ? [] : [lookEntry(row, "updated", kept)]));
        },
        ["looks"],
      );
    },

    async deleteLook({ lookId }, context) {
      return change(sql, requireCaller(context), async (tx) => {
        const row = await requireLook(tx, lookId);
        await store.deleteLook(tx, lookId);
        return done({}, lookEntry(row, "deleted", { before: summary(row) }));
      });
    },
  } satisfies Partial<ServiceImpl<typeof MusicService>>;
}

/** @throws invalid if the text is not a valid look; the message names the invalid field */
function parseLook(json: string): Look {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw invalid("lookJson: is not JSON");
  }
  const parsed = lookSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(`lookJson: ${issue?.path.join(".") || "it"}: ${issue?.message ?? "no look"}`);
  }
  if (hasOddText(parsed.data)) throw invalid("lookJson: a text holds control characters. Take them out.");
  return parsed.data;
}

function nameOf(given: string): string {
  const name = given.trim();
  if (name === "") throw invalid("Name is required");
  if (hasOddText(name)) throw invalid("The name holds control characters. Take them out.");
  return name;
}

async function requireLook(tx: Tx, id: string): Promise<store.LookRow> {
  const row = await store.lockLook(tx, id);
  if (!row) throw notFound("Look", id);
  return row;
}

const taken = (name: string) => alreadyExists(`There is a look named "${name}" already. Choose another name.`);

/** Summarizes a look for the audit log, which cannot hold all cues. */
const summary = ({ name, look }: store.LookRow) => ({ name, beats: look.beats, cues: look.cues.length });

const lookEntry = (row: store.LookRow, verb: string, more: Partial<Entry>): Entry => ({
  noun: "look",
  id: row.id,
  verb,
  ...more,
});

const toWire = ({ id, name, look, created_at }: store.LookRow) => ({
  id,
  name,
  lookJson: JSON.stringify(look),
  createdAt: timestampOf(created_at),
});
