import { AuditService } from "@followspot/contract/audit";
import type { ListSource } from "../lib/list-source.ts";

import { named, type NamedEntry } from "./audit-words.ts";

const rpc = AuditService.method;

/** The log, or what was done to one thing: `talk 01J…`. */
export const auditOf = (target: string): ListSource<NamedEntry> => ({
  name: "log",
  method: rpc.listAuditEntries,
  page: async (call, list) => {
    const { entries, nextPageToken, names } = await call(rpc.listAuditEntries, { target, list });
    return { rows: entries.map((entry) => named(entry, names)), nextPageToken };
  },
  id: ({ id }) => String(id),
  scope: target,
});

export const WHOLE_LOG = auditOf("");
