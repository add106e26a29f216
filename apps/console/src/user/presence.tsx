import type { User } from "@followspot/contract/user";
import { dateTime, relativeTime, toDate } from "../lib/formatting.ts";
import { Status } from "../ui/status.tsx";
import { userStrings as text } from "./user.strings.ts";

/** Whether a person is here, as the server knew it when the row was read. Empty for a deleted person. */
export function Presence({ user: { isOnline, lastSeenAt, deletedAt } }: { readonly user: User }) {
  if (deletedAt) return null;
  if (isOnline) return <Status tone="ok">{text.presence.online}</Status>;
  const at = toDate(lastSeenAt);
  return (
    // Under the word of the status above it, which has a dot before it.
    <span className="block truncate pl-3 text-xs text-muted" title={at && dateTime(at)}>
      {at ? text.presence.lastSeen(relativeTime(at)) : text.presence.never}
    </span>
  );
}
