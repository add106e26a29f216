/** Maximum length of a value as JSON; longer values are truncated. */
const MOST_CHARACTERS = 500;
/** Fields that are left out because the reader of a history knows them. */
const UNSAID = new Set(["id", "created_at", "community_id"]);

/** Values of new things that are left out because they mean "not set". */
const UNSET = new Set(["false", "0"]);

export interface FieldChange {
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Returns the fields that differ between a thing before and after. The log stores only these; a thing without fields,
 * such as an order of lights, is one field without a name.
 */
export function fieldChanges(before: unknown, after: unknown): FieldChange[] {
  if (!isFields(before) && !isFields(after)) {
    return before === null && after === null ? [] : [{ field: "", before: textOf(before), after: textOf(after) }];
  }
  const [old, now] = [isFields(before) ? before : {}, isFields(after) ? after : {}];
  const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])].toSorted();
  return fields
    .filter((field) => !UNSAID.has(field))
    .map((field) => ({ field, before: textOf(old[field]), after: textOf(now[field]) }))
    .filter((each) => each.before !== each.after && (isFields(before) || !UNSET.has(each.after)));
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Formats a value as JSON; empty for no value, an empty text or an empty list. */
function textOf(value: unknown): string {
  if (value === undefined || value === null || value === "") return "";
  if (Array.isArray(value) && value.length === 0) return "";
  const text = JSON.stringify(value);
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`;
}
