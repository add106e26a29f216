import { GROUP_TYPES, type GroupType } from "@followspot/contract";
import { invalid } from "../platform/errors.ts";

/**
 * IDs appear in plans and topics: lower case, as the form's hint states, and no property name of JavaScript objects.
 */
const GROUP_ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;
/** Longest derived ID, which leaves space for a number after it. */
const MADE_ID = 56;

/** @throws invalid_argument */
export function requireGroupId(id: string): string {
  if (id.trim() === "") throw invalid("ID is required");
  if (!GROUP_ID.test(id))
    throw invalid("ID must be lowercase letters, digits and underscores, and begin with a letter or digit");
  return id;
}

/** @throws invalid_argument */
export function requireGroupName(name: string): string {
  if (name.trim() === "") throw invalid("Name is required");
  return name;
}

/** @throws invalid_argument */
export function requireGroupType(type: string): GroupType {
  if (type === "") throw invalid("Type is required");
  const found = GROUP_TYPES.find((known) => known === type);
  if (!found) throw invalid(`type: must be one of ${GROUP_TYPES.join(", ")}`);
  return found;
}

/** Derives an unused group ID: "Floor bars" becomes floor_bars, then floor_bars_2. */
export function groupIdOf(name: string, taken: ReadonlySet<string>): string {
  const plain = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const words = plain
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .slice(0, MADE_ID);
  const first = words || "group";
  let id = first;
  for (let n = 2; taken.has(id); n++) id = `${first}_${n}`;
  return id;
}
