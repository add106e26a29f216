/** Options of a select: each value with its label. */
export function Options({ of }: { readonly of: readonly (readonly [value: string | number, label: string])[] }) {
  return of.map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}
