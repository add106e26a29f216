import type { User } from "@followspot/contract/user";
import { Status } from "../ui/status.tsx";
import { userStrings as text } from "./user.strings.ts";

/** Whether a person has proved an address, and whether they are deleted. */
export function UserStatus({ user: { verifiedAt, deletedAt } }: { readonly user: User }) {
  return (
    <span className="flex gap-x-3">
      {verifiedAt ? <Status tone="ok">{text.verified}</Status> : <Status tone="wait">{text.pending}</Status>}
      {deletedAt && <Status tone="bad">{text.deletedBadge}</Status>}
    </span>
  );
}
