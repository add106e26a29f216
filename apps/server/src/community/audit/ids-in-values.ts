import type { AuditEntry } from "@followspot/contract/audit";

/** Fields whose values are IDs (of one kind of thing or of any) → kind of thing to which they refer. */
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
/** Actions on all lights whose value is their order, without a field. */
const LIGHT_ORDERS: ReadonlySet<string> = new Set(["light.reordered", "light.repatched"]);

/** Returns the kind of thing to which the values of a field refer; empty if they are no IDs. */
export function idsOf(action: string, field: string): string {
  if (field === "") return LIGHT_ORDERS.has(action) ? "light" : "";
  if (field.endsWith("user_id")) return "user";
  return IDS_OF[field] ?? IDS_OF[`${action.split(".", 1)[0]} ${field}`] ?? "";
}

/** Returns all things to which values of these entries refer, by kind and ID: `event 01J…`. */
export function thingsIn(entries: readonly AuditEntry[]): string[] {
  const things = entries.flatMap(({ changes }) =>
    changes.flatMap(({ idsOf: kind, before, after }) =>
      kind === "" ? [] : [...idsIn(before), ...idsIn(after)].map((id) => `${kind} ${id}`),
    ),
  );
  return [...new Set(things)];
}

/** Parses one ID or a list of them from JSON, or the ID of a value with several parts; none from truncated text. */
function idsIn(json: string): string[] {
  try {
    return json === "" ? [] : [JSON.parse(json) as unknown].flat().map((value) => String(idIn(value)));
  } catch {
    return [];
  }
}

const idIn = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "id" in value ? value.id : value;
