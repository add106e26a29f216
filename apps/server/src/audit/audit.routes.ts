import { create } from "@bufbuild/protobuf";
import type { ConnectRouter } from "@connectrpc/connect";
import { AuditEntrySchema, AuditService, type AuditEntry } from "@followspot/contract/audit";
import { ListQuerySchema } from "@followspot/contract/list";
import type { Sql } from "../platform/database.ts";
import { readPage } from "../platform/lists.ts";
import { timestampOf } from "../platform/timestamps.ts";
import { AUDIT_LIST, entriesOf, namesOf, peopleOf, type AuditRow } from "./audit.store.ts";
import { fieldChanges } from "./field-changes.ts";

export interface AuditPorts {
  readonly sql: Sql;
}

/** The log is only read here: changes write it themselves (platform/change.ts). */
export function auditRoutes({ sql }: AuditPorts): (router: ConnectRouter) => void {
  return (router) =>
    router.service(AuditService, {
      listAuditEntries: async (request) => {
        const query = request.list ?? create(ListQuerySchema);
        const { rows, nextPageToken } = await readPage<AuditRow>(sql, AUDIT_LIST, query, entriesOf(sql, request));
        const targets = await namesOf(
          sql,
          rows.map(({ target }) => target),
        );
        const entries = rows.map((row) => toEntry(row, targets));
        return { entries, nextPageToken, names: await peopleOf(sql, peopleIn(entries)) };
      },
    });
}

/** Ids of people in the values of some entries: fields that hold one say so by their name. */
function peopleIn(entries: readonly AuditEntry[]): string[] {
  const values = entries.flatMap(({ changes }) =>
    changes.flatMap(({ field, before, after }) => (field.endsWith("user_id") ? [before, after] : [])),
  );
  return [...new Set(values.filter((value) => value.startsWith('"')).map((value) => value.slice(1, -1)))];
}

function toEntry(row: AuditRow, names: ReadonlyMap<string, string>): AuditEntry {
  return create(AuditEntrySchema, {
    id: row.id,
    at: timestampOf(row.at),
    userId: row.user_id,
    userName: row.user_name ?? "",
    action: row.action,
    target: row.target,
    targetName: names.get(row.target) ?? "",
    changes: fieldChanges(row.before, row.after),
  });
}
