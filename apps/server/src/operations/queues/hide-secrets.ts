/** Replacement for a secret. */
export const HIDDEN = "******";

/**
 * Fields with secret values, in snake case: `lease_token` of outcomes, `session_id` of ended sign-ins, codes, passwords
 * and keys of links. A bare `key` is a song's key.
 */
const SECRET_FIELD =
  /^(?:.+_)?(?:tokens?|secrets?|passwords?|passphrase|passwd|authorization|cookies?|session_ids?|sid|credentials?)$|^(?:(?:login|sign_in|sign_up|attendee|invitation|verification|access|one_time)_)?codes?$|^(?:api|access|private|link|output)_keys?$/;

/** Private messages, which can be read only in Chats, where access by a moderator is logged. */
const CHAT = /^events\.(?:message|reaction)\./;
const CHAT_FIELDS: ReadonlySet<string> = new Set(["text", "body"]);

/** Returns a message's JSON without its secrets, in the same shape. */
export function hideSecrets(subject: string, data: unknown): unknown {
  if (typeof data === "string") return hideInText(data);
  if (Array.isArray(data)) return data.map((each) => hideSecrets(subject, each));
  if (typeof data !== "object" || data === null) return data;
  const isHidden = (name: string, value: unknown) =>
    value !== null && value !== "" && (isSecret(name) || (CHAT.test(subject) && CHAT_FIELDS.has(name)));
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, isHidden(name, value) ? HIDDEN : hideSecrets(subject, value)]),
  );
}

/** Hides secrets in headers: the ID of an outcome message is its lease token. */
export function hideHeader(subject: string, name: string, value: string): string {
  const isToken = subject.startsWith("responses.") && name.toLowerCase() === "nats-msg-id";
  return isToken || isSecret(name) ? HIDDEN : hideInText(value);
}

/** Whether a field name is secret; `leaseToken` and `Lease-Token` count as `lease_token`. */
export function isSecret(name: string): boolean {
  const snake = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").replaceAll("-", "_");
  return SECRET_FIELD.test(snake.toLowerCase());
}

/** Hides signed tokens, and secrets in links, headers and invalid JSON. */
export function hideInText(text: string): string {
  return text
    .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, HIDDEN)
    .replace(/\b(Bearer|Basic) [\w.~+/=-]+/gi, `$1 ${HIDDEN}`)
    .replace(/(:\/\/[^\s/:@]*:)[^\s/@]+@/g, `$1${HIDDEN}@`)
    .replace(/([?&#](?:key|sig|signature)=)[^&\s"']+/gi, `$1${HIDDEN}`)
    .replace(NAMED_VALUE, (all, name: string, between: string, value: string) =>
      isSecret(name) && !EXIT_CODE.test(`${name} ${value}`) ? `${name}${between}${HIDDEN}` : all,
    );
}

const NAMED_VALUE = /\b([\w-]{1,60})(["']?\s{0,3}[:=]\s{0,3}["']?)([^\s"'&,;}\]]+)/g;
/** Exit code of a program, or status of a response. */
const EXIT_CODE = /^code -?\d{1,3}\.?$/i;
