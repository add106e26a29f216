import type { User } from "@followspot/contract/user";
import { Status } from "../ui/status.tsx";
import { userStrings as text } from "./user.strings.ts";

/** Status of a user: whether an email or phone is verified, and whether the user is deleted. */
export function UserStatus({ user: { verifiedAt, deletedAt } }: { readonly user: User }) {
  return (
    <span className="flex gap-x-3">
      {verifiedAt ? <Status tone="ok">{text.verified}</Status> : <Status tone="wait">{text.pending}</Status>}
      {deletedAt && <Status tone="bad">{text.deletedBadge}</Status>}
    </span>
  );
}
