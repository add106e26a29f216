import type { Db, Tx } from "../../platform/database/database.ts";
import { conflict } from "../../platform/errors.ts";
import { seedOfLinkKey } from "../../platform/http/link-key.ts";
import { readSignUp } from "./sign-up.store.ts";
import { plainPhone, type HomeCountry } from "./phone-numbers.ts";
import { requireEmail, requireName, requirePhone } from "./user-rules.ts";
import { insertUser, isTargetTaken, markVerified, type UserRow } from "./users.store.ts";

/** Purpose of the invitation link; separates its keys from those of other links. */
export const INVITATION = "invitation";

/** Details that a new user enters. */
export interface Newcomer {
  /** Email or phone, as typed. */
  readonly target: string;
  readonly name: string;
  /** Secret part of the invitation link; empty without one. */
  readonly invitation: string;
  /** The event whose invitation link it is; empty for the community's link. */
  readonly eventId: string;
}

/** What decides about sign-up beside the settings. */
export interface SignUpPorts {
  readonly secret: Uint8Array;
  /** Whether the invitation link of an event allows sign-up now. */
  readonly mayJoin: (db: Db, eventId: string, invitation: string) => Promise<boolean>;
}

/** Explains why a new user cannot sign up now; undefined if they can. */
export async function whyNoSignUp(
  db: Db,
  { secret, mayJoin }: SignUpPorts,
  { invitation, eventId }: Pick<Newcomer, "invitation" | "eventId">,
): Promise<string | undefined> {
  const { mode, seed } = await readSignUp(db);
  if (mode === "open") return undefined;
  if (eventId !== "" && invitation !== "") return (await mayJoin(db, eventId, invitation)) ? undefined : NOT_VALID;
  if (mode === "closed") return "New people are added by the Admins here. Ask one of them.";
  if (invitation === "") return "New people come by invitation here. Open the invitation link you were given.";
  const isGood = seed !== null && seedOfLinkKey(secret, INVITATION, "", invitation)?.equals(seed);
  return isGood ? undefined : NOT_VALID;
}

/** Whether a key is the one of an event's or the community's current invitation link, and lets its holder join now. */
export async function isInvited(
  db: Db,
  { secret, mayJoin }: SignUpPorts,
  { invitation, eventId }: Pick<Newcomer, "invitation" | "eventId">,
): Promise<boolean> {
  if (invitation === "") return false;
  if (eventId !== "") return mayJoin(db, eventId, invitation);
  const { mode, seed } = await readSignUp(db);
  if (mode !== "invitation" || seed === null) return false;
  return seedOfLinkKey(secret, INVITATION, "", invitation)?.equals(seed) ?? false;
}

/**
 * Creates an account without a confirmed address, for the holder of an invitation link.
 *
 * @param target normalized address (`loginTarget`)
 * @throws failed_precondition unless the community lets the link stand for a code, and the link is valid
 */
export async function signUpByLink(tx: Tx, ports: SignUpPorts, target: string, newcomer: Newcomer): Promise<UserRow> {
  if ((await readSignUp(tx)).code_by !== "link") throw conflict("Sign-in needs a code here. Ask for one first.");
  if (!(await isInvited(tx, ports, newcomer))) throw conflict(NOT_VALID);
  return insertUser(tx, { name: requireName(newcomer.name).trim(), unconfirmed_address: target });
}

/** @returns why no new guest can sign in with a link; empty if they can */
export async function linkWarning(db: Db, canSend: boolean): Promise<string> {
  const { code_by } = await readSignUp(db);
  return code_by === "mail" && !canSend ? NO_DELIVERY : "";
}

const NO_DELIVERY =
  "No new guest can use this link: codes are sent by mail or SMS, and neither is set up. Set one up, or choose another way under Users › Sign-up.";

/**
 * Creates an account for a user who has verified their address.
 *
 * @param target normalized address (`loginTarget`)
 * @throws failed_precondition with the reason why they cannot sign up; only the owner of the address sees it
 */
export async function signUp(
  tx: Tx,
  ports: SignUpPorts,
  target: string,
  newcomer: Newcomer,
  country?: HomeCountry,
): Promise<UserRow> {
  const refusal = await whyNoSignUp(tx, ports, newcomer);
  if (refusal !== undefined) throw conflict(refusal);
  if (await isTargetTaken(tx, target, country)) throw conflict(TAKEN);
  const name = requireName(newcomer.name).trim();
  const address = target.includes("@")
    ? { email: requireEmail(newcomer.target) }
    : { phone: requirePhone(plainPhone(newcomer.target)) };
  const user = await insertUser(tx, { name, ...address });
  return markVerified(tx, user.id, target);
}

const NOT_VALID = "This invitation does not work any more. Ask for a new link.";
const TAKEN =
  "This email or phone is taken: by a person who was deleted, or by several. Try again, or ask an Admin for help.";
