import { AuditService, type AuditEntry } from "@followspot/contract/audit";
import type { ListSource } from "../lib/list-source.ts";

const rpc = AuditService.method;

/** The log, or what was done to one thing: `talk 01J…`. */
export const auditOf = (target: string): ListSource<AuditEntry> => ({
  name: "log",
  method: rpc.listAuditEntries,
  page: async (call, list) => {
    const { entries, nextPageToken } = await call(rpc.listAuditEntries, { target, list });
    return { rows: entries, nextPageToken };
  },
  id: ({ id }) => String(id),
  scope: target,
});

export const WHOLE_LOG = auditOf("");
