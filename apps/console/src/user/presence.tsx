import type { User } from "@followspot/contract/user";
import { dateTime, relativeTime, toDate } from "../lib/formatting.ts";
import { Status } from "../ui/status.tsx";
import { userStrings as text } from "./user.strings.ts";

/** Online status of a user at the time the row was loaded. Empty for a deleted user. */
export function Presence({ user: { isOnline, lastSeenAt, deletedAt } }: { readonly user: User }) {
  if (deletedAt) return null;
  if (isOnline) return <Status tone="ok">{text.presence.online}</Status>;
  const at = toDate(lastSeenAt);
  return (
    // Indented to align with the text of the status above, which follows a dot.
    <span className="block truncate pl-3 text-xs text-muted" title={at && dateTime(at)}>
      {at ? text.presence.lastSeen(relativeTime(at)) : text.presence.never}
    </span>
  );
}
