/** In place of a secret. */
export const HIDDEN = "******";

/**
 * Fields whose values are secret, in snake case: `lease_token` of outcomes, `session_id` of ended sign-ins, codes,
 * passwords and keys of links. A `key` alone is a song's.
 */
const SECRET_FIELD =
  /^(?:.+_)?(?:tokens?|secrets?|passwords?|passphrase|passwd|authorization|cookies?|session_ids?|sid|credentials?)$|^(?:(?:login|sign_in|sign_up|attendee|invitation|verification|access|one_time)_)?codes?$|^(?:api|access|private|link|output)_keys?$/;

/** What people write to each other is read in Chats, where a moderator's look is written down. */
const CHAT = /^events\.(?:message|reaction)\./;
const CHAT_FIELDS: ReadonlySet<string> = new Set(["text", "body"]);

/** A message's JSON without its secrets; the shape stays. */
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

/** The id of an outcome's message is the lease token it was reported under. */
export function hideHeader(subject: string, name: string, value: string): string {
  const isToken = subject.startsWith("responses.") && name.toLowerCase() === "nats-msg-id";
  return isToken || isSecret(name) ? HIDDEN : hideInText(value);
}

/** `leaseToken` and `Lease-Token` are `lease_token`. */
export function isSecret(name: string): boolean {
  const snake = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").replaceAll("-", "_");
  return SECRET_FIELD.test(snake.toLowerCase());
}

/** Signed tokens, and secrets in links, headers and invalid JSON. */
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
/** What a program ended with, or what a site answered. */
const EXIT_CODE = /^code -?\d{1,3}\.?$/i;
