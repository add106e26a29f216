import type { AuditEntry, FieldChange } from "@followspot/contract/audit";
import { dateTime } from "../lib/formatting.ts";
import { auditStrings as text } from "./audit.strings.ts";

/** An entry with the names of what its values name by their ids: `event 01J…`. */
export interface NamedEntry extends AuditEntry {
  readonly names: Readonly<Record<string, string>>;
}

export const named = (entry: AuditEntry, names: NamedEntry["names"]): NamedEntry => ({ ...entry, names });

/** `light_group.updated` as "Updated group". */
export function actionWords(action: string): string {
  const special: Readonly<Record<string, string>> = text.actions;
  if (Object.hasOwn(special, action)) return special[action] ?? action;
  const [noun = "", verb = ""] = action.split(".");
  return `${begun(spaced(verb))} ${nounWords(noun)}`.trim();
}

/** What was changed: its name, or its id when it has none. */
export function thingWords({ target, targetName }: Pick<AuditEntry, "target" | "targetName">): string {
  const wholes: Readonly<Record<string, string>> = text.wholes;
  if (Object.hasOwn(wholes, target)) return wholes[target] ?? target;
  return targetName || target.slice(target.indexOf(" ") + 1);
}

/**
 * `start_at` as "Start at", `user_id` as "User", `from_user_id` as "From", `light_ids` as "Lights", `playerId` as
 * "Player". Without a field is what many things together became: it is called by them.
 * @param action such as "light.reordered"
 */
export function fieldWords(field: string, action: string): string {
  return field === ""
    ? action.startsWith("output.")
      ? text.outputs
      : text.lights
    : begun(spaced(field.replace(/(?:_(?:user_)?i|I)d(s?)$/, "$1")));
}

/** What a field was and is, in words; a picture is not shown by its id. */
export function changeWords(
  { field, before, after, idsOf }: FieldChange,
  names: NamedEntry["names"],
): { readonly before: string; readonly after: string } {
  if (PICTURES.has(field)) {
    const done = before && after ? "replaced" : after ? "added" : "removed";
    return { before: "", after: text.picture[done] };
  }
  const said = (json: string) => valueWords(json, (id) => nameOf(id, idsOf, names));
  return { before: said(before), after: after === "" ? text.nothing : said(after) };
}

const PICTURES = new Set(["photo_id", "image_id"]);
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** What is called by this id, where it is one and the thing has a name; a person without one was purged. */
function nameOf(id: unknown, kind: string, names: NamedEntry["names"]): string | undefined {
  if (kind === "" || (typeof id !== "string" && typeof id !== "number")) return undefined;
  const thing = `${kind} ${id}`;
  return Object.hasOwn(names, thing) ? names[thing] : kind === "user" ? text.purgedPerson : undefined;
}

type Name = (value: unknown) => string | undefined;

/** A value as JSON, for a person. What was cut off is no JSON: a text stays as it is, of parts there are no words. */
function valueWords(json: string, name: Name): string {
  if (json === "") return "";
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return /^[[{]/.test(json) ? text.tooLong : json;
  }
  return inWords(value, name);
}

function inWords(value: unknown, name: Name): string {
  const known = name(value);
  if (known !== undefined) return known;
  if (typeof value === "boolean") return value ? text.yes : text.no;
  if (typeof value === "number") return value.toLocaleString("en", { maximumFractionDigits: 6 });
  if (typeof value === "string") return MOMENT.test(value) ? dateTime(new Date(value)) : value;
  if (Array.isArray(value)) return value.map((each) => inWords(each, name)).join(", ");
  return isFields(value) ? partsInWords(value, name) : text.nothing;
}

/** A value of several parts: an announcement is its text, a timer its length, what has an id its name. */
function partsInWords(value: Readonly<Record<string, unknown>>, name: Name): string {
  if (typeof value["text"] === "string") return value["text"];
  if (typeof value["seconds"] === "number") return text.seconds(value["seconds"]);
  if ("id" in value) return inWords(value["id"], name);
  return Object.entries(value)
    .map(([field, part]) => `${fieldWords(field, "")}: ${inWords(part, name)}`)
    .join(", ");
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const nounWords = (noun: string): string =>
  Object.hasOwn(text.nouns, noun) ? text.nouns[noun as keyof typeof text.nouns] : spaced(noun);
const spaced = (name: string): string =>
  name.replaceAll("_", " ").replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
const begun = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
