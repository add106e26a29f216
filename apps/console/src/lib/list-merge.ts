/** Returns the names of the fields that differ between two states of a form. */
export function changedFields<Fields extends object>(before: Fields, after: Fields): (keyof Fields)[] {
  return (Object.keys(after) as (keyof Fields)[]).filter((name) => !isSame(before[name], after[name]));
}

/** Merges another user's changes into a form. Edited fields keep my value; unedited fields take theirs. */
export function mergeFields<Fields extends object>(base: Fields, mine: Fields, theirs: Fields): Fields {
  const typed = Object.fromEntries(changedFields(base, mine).map((name) => [name, mine[name]]));
  return { ...theirs, ...typed };
}

/** Returns the names of the fields that both users have changed to different values, so that the user has to choose. */
export function collidingFields<Fields extends object>(base: Fields, mine: Fields, theirs: Fields): (keyof Fields)[] {
  const typed = new Set(changedFields(base, mine));
  return changedFields(base, theirs).filter((name) => typed.has(name) && !isSame(mine[name], theirs[name]));
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
