import { useQuery } from "@connectrpc/connect-query";
import { AuthService } from "@followspot/contract/auth";
import { registrationStrings as text } from "./registrations.strings.ts";

const REFRESH_MS = 5000;

/** Codes that staff read to guests; nothing unless codes come this way and one is pending. */
export function StaffCodes() {
  const { data } = useQuery(AuthService.method.listStaffCodes, {}, { refetchInterval: REFRESH_MS, staleTime: 0 });
  const codes = data?.codes ?? [];
  if (codes.length === 0) return null;
  return (
    <section aria-label={text.codes} className="max-w-xl shrink-0 rounded-lg border bg-surface p-3">
      <h2 className="text-sm font-semibold">{text.codes}</h2>
      <p className="text-muted">{text.codesHint}</p>
      <ul className="mt-2 flex max-h-64 flex-col divide-y overflow-y-auto">
        {codes.map(({ name, target, code }) => (
          <li key={target} className="flex items-center gap-3 py-1.5">
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{name}</span>
              <span className="block truncate text-muted">{target}</span>
            </span>
            <span className="font-mono text-lg">{code}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
