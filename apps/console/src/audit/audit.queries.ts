import { AuditService } from "@followspot/contract/audit";
import { pagesOf, type ListSource } from "../lib/list-source.ts";

import { named, type NamedEntry } from "./audit-words.ts";

const rpc = AuditService.method;

/** The log, or what was done to one thing: `talk 01J…`. */
export const auditOf = (target: string): ListSource<NamedEntry> => ({
  name: "log",
  ...pagesOf(rpc.listAuditEntries, ({ entries, names }) => entries.map((entry) => named(entry, names)), { target }),
  id: ({ id }) => String(id),
  scope: target,
});

export const WHOLE_LOG = auditOf("");
