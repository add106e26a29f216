/** Names of the fields that differ between two states of a form. */
export function changedFields<Fields extends object>(before: Fields, after: Fields): (keyof Fields)[] {
  return (Object.keys(after) as (keyof Fields)[]).filter((name) => !isSame(before[name], after[name]));
}

/** What was typed stays; a field that was left as it had been read follows theirs. */
export function mergeFields<Fields extends object>(base: Fields, mine: Fields, theirs: Fields): Fields {
  const typed = Object.fromEntries(changedFields(base, mine).map((name) => [name, mine[name]]));
  return { ...theirs, ...typed };
}

/** Names of the fields that both have changed, each to something else: a person has to choose. */
export function collidingFields<Fields extends object>(base: Fields, mine: Fields, theirs: Fields): (keyof Fields)[] {
  const typed = new Set(changedFields(base, mine));
  return changedFields(base, theirs).filter((name) => typed.has(name) && !isSame(mine[name], theirs[name]));
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
