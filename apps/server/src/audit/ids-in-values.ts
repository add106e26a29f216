import type { AuditEntry } from "@followspot/contract/audit";

/** Fields that hold ids, of one kind of thing or of any, and the kind of what has them. */
const IDS_OF: Readonly<Record<string, string>> = {
  event_id: "event",
  thread_id: "thread",
  light_ids: "light",
  "light groups": "light_group",
  "queue song": "song",
  "queue playlist": "playlist",
  "stage_screen talk": "talk",
  "stage_screen playerId": "user",
};
/** Changes of all lights that say them in their order, without a field. */
const LIGHT_ORDERS: ReadonlySet<string> = new Set(["light.reordered", "light.repatched"]);

/** The kind of things whose ids are the values of a field; empty: they are no ids. */
export function idsOf(action: string, field: string): string {
  if (field === "") return LIGHT_ORDERS.has(action) ? "light" : "";
  if (field.endsWith("user_id")) return "user";
  return IDS_OF[field] ?? IDS_OF[`${action.split(".", 1)[0]} ${field}`] ?? "";
}

/** All things that values of these entries name by their ids, by kind and id: `event 01J…`. */
export function thingsIn(entries: readonly AuditEntry[]): string[] {
  const things = entries.flatMap(({ changes }) =>
    changes.flatMap(({ idsOf: kind, before, after }) =>
      kind === "" ? [] : [...idsIn(before), ...idsIn(after)].map((id) => `${kind} ${id}`),
    ),
  );
  return [...new Set(things)];
}

/** One id or a list of them, as JSON, or the id of what has several parts; none in what was cut off. */
function idsIn(json: string): string[] {
  try {
    return json === "" ? [] : [JSON.parse(json) as unknown].flat().map((value) => String(idIn(value)));
  } catch {
    return [];
  }
}

const idIn = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "id" in value ? value.id : value;
