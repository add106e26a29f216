import type { Db, Tx } from "../platform/database.ts";
import { conflict } from "../platform/errors.ts";
import { seedOfLinkKey } from "../platform/link-key.ts";
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
}

/** Explains why a new user cannot sign up now; undefined if they can. */
export async function whyNoSignUp(db: Db, secret: Uint8Array, invitation: string): Promise<string | undefined> {
  const { mode, seed } = await readSignUp(db);
  if (mode === "open") return undefined;
  if (mode === "closed") return "New people are added by the Admins here. Ask one of them.";
  if (invitation === "") return "New people come by invitation here. Open the invitation link you were given.";
  const isGood = seed !== null && seedOfLinkKey(secret, INVITATION, "", invitation)?.equals(seed);
  return isGood ? undefined : "This invitation does not work any more. Ask for a new link.";
}

/**
 * Creates an account for a user who has verified their address.
 *
 * @param target normalized address (`loginTarget`)
 * @throws failed_precondition with the reason why they cannot sign up; only the owner of the address sees it
 */
export async function signUp(
  tx: Tx,
  secret: Uint8Array,
  target: string,
  newcomer: Newcomer,
  country?: HomeCountry,
): Promise<UserRow> {
  const refusal = await whyNoSignUp(tx, secret, newcomer.invitation);
  if (refusal !== undefined) throw conflict(refusal);
  if (await isTargetTaken(tx, target, country)) throw conflict(TAKEN);
  const name = requireName(newcomer.name).trim();
  const address = target.includes("@")
    ? { email: requireEmail(newcomer.target) }
    : { phone: requirePhone(plainPhone(newcomer.target)) };
  const user = await insertUser(tx, { name, ...address });
  return markVerified(tx, user.id, target);
}

const TAKEN =
  "This email or phone is taken: by a person who was deleted, or by several. Try again, or ask an Admin for help.";
