import { isDeepStrictEqual } from "node:util";
import { parseTopic } from "@followspot/contract";
import { z } from "zod";
import { HIDDEN } from "./hide-secrets.ts";

const id = z.string().min(1).max(100);

/** A message that is published on topics; older releases name a single topic. */
const envelope = z.looseObject({
  id,
  topics: z.array(z.string().refine((topic) => parseTopic(topic) !== undefined, "is no topic")).optional(),
  topic: z.string().optional(),
  type: z.string(),
  ts: z.iso.datetime({ offset: true }),
  payload: z.record(z.string(), z.unknown()),
});

const outcome = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("done"), result: z.record(z.string(), z.unknown()) }),
  z.strictObject({ kind: z.literal("released") }),
  z.strictObject({
    kind: z.literal("waits"),
    reason: z.string(),
    wait: z.discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("room"), bytes: z.number().nonnegative() }),
      z.strictObject({ kind: z.literal("site") }),
    ]),
  }),
  z.strictObject({ kind: z.literal("failed"), reason: z.string(), retry: z.boolean() }),
]);

/** Schemas of payloads by subject prefix. */
const RULES: readonly (readonly [RegExp, z.ZodType])[] = [
  [/^(?:songs\.|stems$)/, z.strictObject({ job_id: id })],
  [/^responses\./, z.strictObject({ job_id: id, lease_token: id, outcome })],
  [/^events\./, envelope],
];

/** Private messages: an admin must not send text in another user's name. */
const CHAT = /^events\.(?:message|reaction)\./;

/**
 * Returns why a payload cannot be sent to a subject, as a sentence that names the field; undefined if it can.
 * @param original payload before it was edited
 */
export function whyNotSent(subject: string, edited: unknown, original: unknown): string | undefined {
  if (JSON.stringify(edited).includes(HIDDEN)) return `${HIDDEN} can only stay where it was`;
  if (CHAT.test(subject) && !isDeepStrictEqual(edited, original))
    return "what people write to each other is sent again as it was, or not at all";
  const rule = RULES.find(([subjects]) => subjects.test(subject))?.[1];
  const [issue] = rule?.safeParse(edited).error?.issues ?? [];
  if (issue) return `${issue.path.length > 0 ? issue.path.join(".") : "all of it"}: ${issue.message}`;
  const type = isEvent(edited) && `events.${edited.type}` !== subject && subject.startsWith("events.");
  return type ? `type: must be ${subject.slice("events.".length)}, as its subject says` : undefined;
}

const isEvent = (data: unknown): data is { readonly type: unknown } =>
  typeof data === "object" && data !== null && "type" in data;

/**
 * Restores secrets in an edited payload: values equal to the displayed ones get their original values.
 * @param shown the original without secrets
 */
export function withSecrets(edited: unknown, shown: unknown, original: unknown): unknown {
  if (isDeepStrictEqual(edited, shown)) return original;
  if (Array.isArray(edited) && Array.isArray(shown) && Array.isArray(original))
    return edited.map((each, i) => withSecrets(each, shown[i], original[i]));
  if (!isRecord(edited) || !isRecord(shown) || !isRecord(original)) return edited;
  const named = Object.entries(edited).map(([name, value]) => [name, withSecrets(value, shown[name], original[name])]);
  return Object.fromEntries(named) as unknown;
}

const isRecord = (data: unknown): data is Readonly<Record<string, unknown>> =>
  typeof data === "object" && data !== null && !Array.isArray(data);
