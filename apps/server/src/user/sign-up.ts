import type { Db, Tx } from "../platform/database.ts";
import { conflict } from "../platform/errors.ts";
import { seedOfLinkKey } from "../platform/link-key.ts";
import { readSignUp } from "./sign-up.store.ts";
import { requireEmail, requireName, requirePhone } from "./user-rules.ts";
import { insertUser, isTargetTaken, markVerified, type UserRow } from "./users.store.ts";

/** What the invitation link is for, by which its keys are told from those of other links. */
export const INVITATION = "invitation";

/** What a person gives who is not known here. */
export interface Newcomer {
  /** Email or phone, as it was typed. */
  readonly target: string;
  readonly name: string;
  /** Secret part of the invitation link; empty for none. */
  readonly invitation: string;
}

/** Why a person cannot sign up now, in words; undefined when they can. */
export async function whyNoSignUp(db: Db, secret: Uint8Array, invitation: string): Promise<string | undefined> {
  const { mode, seed } = await readSignUp(db);
  if (mode === "open") return undefined;
  if (mode === "closed") return "New people are added by the Admins here. Ask one of them.";
  if (invitation === "") return "New people come by invitation here. Open the invitation link you were given.";
  const isGood = seed !== null && seedOfLinkKey(secret, INVITATION, "", invitation)?.equals(seed);
  return isGood ? undefined : "This invitation does not work any more. Ask for a new link.";
}

/**
 * Makes an account for a person who has proved that the address is theirs.
 *
 * @param target written the one way (`loginTarget`)
 * @throws failed_precondition saying why they cannot sign up; only who can read the address's mail gets to know it
 */
export async function signUp(tx: Tx, secret: Uint8Array, target: string, newcomer: Newcomer): Promise<UserRow> {
  const refusal = await whyNoSignUp(tx, secret, newcomer.invitation);
  if (refusal !== undefined) throw conflict(refusal);
  if (await isTargetTaken(tx, target)) throw conflict(TAKEN);
  const name = requireName(newcomer.name).trim();
  const address = target.includes("@")
    ? { email: requireEmail(newcomer.target) }
    : { phone: requirePhone(newcomer.target) };
  const user = await insertUser(tx, { name, ...address });
  return markVerified(tx, user.id, target);
}

const TAKEN =
  "This email or phone is taken: by a person who was deleted, or by several. Try again, or ask an Admin for help.";
