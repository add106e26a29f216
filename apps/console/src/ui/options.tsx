/** What a select offers: each value, and what it is called. */
export function Options({ of }: { readonly of: readonly (readonly [value: string | number, label: string])[] }) {
  return of.map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}
