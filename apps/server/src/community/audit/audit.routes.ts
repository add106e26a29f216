import { create } from "@bufbuild/protobuf";
import type { ConnectRouter } from "@connectrpc/connect";
import { AuditEntrySchema, AuditService, type AuditEntry } from "@followspot/contract/audit";
import { ListQuerySchema } from "@followspot/contract/list";
import type { Sql } from "../../platform/database/database.ts";
import { readPage } from "../../platform/database/lists.ts";
import { timestampOf } from "../../platform/database/timestamps.ts";
import { AUDIT_LIST, entriesOf, namesOf, type AuditRow } from "./audit.store.ts";
import { fieldChanges } from "./field-changes.ts";
import { idsOf, thingsIn } from "./ids-in-values.ts";

export interface AuditPorts {
  readonly sql: Sql;
}

/** Returns the RPC methods that read the audit log. Changes write it themselves (platform/database/change.ts). */
export function auditRoutes({ sql }: AuditPorts): (router: ConnectRouter) => void {
  return (router) =>
    router.service(AuditService, {
      listAuditEntries: async (request) => {
        const query = request.list ?? create(ListQuerySchema);
        const { rows, nextPageToken } = await readPage<AuditRow>(sql, AUDIT_LIST, query, entriesOf(sql, request));
        const entries = rows.map(toEntry);
        const things = thingsIn(entries);
        const names = await namesOf(sql, [...entries.map(({ target }) => target), ...things]);
        for (const entry of entries) entry.targetName = names.get(entry.target) ?? "";
        const said = things.flatMap((thing) => (names.has(thing) ? [[thing, names.get(thing)!] as const] : []));
        return { entries, nextPageToken, names: Object.fromEntries(said) };
      },
    });
}

function toEntry(row: AuditRow): AuditEntry {
  return create(AuditEntrySchema, {
    id: row.id,
    at: timestampOf(row.at),
    userId: row.user_id,
    userName: row.user_name ?? "",
    action: row.action,
    target: row.target,
    changes: fieldChanges(row.before, row.after).map((each) => ({ ...each, idsOf: idsOf(row.action, each.field) })),
  });
}
