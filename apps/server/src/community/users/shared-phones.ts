import type { Db } from "../../platform/database/database.ts";
import { phoneTarget, plainPhone, type HomeCountry } from "./phone-numbers.ts";

/** Number of last digits that all spellings of one number have in common. */
const LAST_DIGITS = 6;

/** A phone number that several users have, in one or several spellings. None of them can sign in with it. */
export interface SharedPhone {
  readonly phone: string;
  readonly names: readonly string[];
}

/** Returns the phone numbers that several active users share, the oldest account first. */
export async function readSharedPhones(db: Db, country: HomeCountry): Promise<readonly SharedPhone[]> {
  // Few users have numbers that end alike, so only these are parsed.
  const users = await db<{ name: string; phone: string }[]>`
    select name, phone from (
      select id, name, phone, count(*) over (partition by right(phone_digits, ${LAST_DIGITS})) as alike
      from users where deleted_at is null and phone_digits <> '') as people
    where alike > 1 order by id`;
  const byNumber = Map.groupBy(users, ({ phone }) => phoneTarget(plainPhone(phone), country));
  return [...byNumber].flatMap(([phone, owners]) =>
    owners.length > 1 ? [{ phone, names: owners.map(({ name }) => name) }] : [],
  );
}
