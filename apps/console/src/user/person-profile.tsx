import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { UserService, type User } from "@followspot/contract/user";
import { UserRound } from "lucide-react";
import type { ReactNode } from "react";
import { useCan } from "../auth/can.ts";
import { serverPath } from "../lib/base-path.ts";
import { dateTime, relativeTime, toDate } from "../lib/formatting.ts";
import { strings } from "../lib/strings.ts";
import { Button } from "../ui/button.tsx";
import { Presence } from "./presence.tsx";
import { UserStatus } from "./user-status.tsx";
import { userStrings } from "./user.strings.ts";

const text = userStrings.person;
const { form, columns } = userStrings;

/** Profile tab: the fields of a user. */
export function PersonProfile({ user, onEdit }: { readonly user: User; readonly onEdit: () => void }) {
  const can = useCan();
  return (
    <div className="flex flex-col gap-4 p-4">
      <div className="flex flex-wrap items-center gap-4">
        <span className="grid size-16 shrink-0 place-items-center overflow-hidden rounded-full border bg-raised text-muted">
          {user.photoUrl ? (
            <img src={serverPath(user.photoUrl)} alt={text.photoOf(user.name)} className="size-full object-cover" />
          ) : (
            <UserRound aria-hidden size={28} />
          )}
        </span>
        <div className="min-w-0 flex-1">
          <UserStatus user={user} />
          <Presence user={user} />
        </div>
        {can(UserService.method.updateUser) && <Button onClick={onEdit}>{strings.edit}</Button>}
      </div>
      <dl className="grid grid-cols-[minmax(5rem,auto)_1fr] gap-x-4 gap-y-2">
        <Fact name={form.email}>{user.email}</Fact>
        {user.unconfirmedAddress && <Fact name={userStrings.unconfirmed}>{user.unconfirmedAddress}</Fact>}
        <Fact name={columns.phone}>
          {user.phone && user.phoneVerifiedAt ? `${user.phone} · ${text.phoneVerified}` : user.phone}
        </Fact>
        <Fact name={form.roles}>{user.roles.join(", ") || text.member}</Fact>
        <Fact name={form.username}>{user.username}</Fact>
        <Fact name={form.purpose}>{user.purpose}</Fact>
        <Fact name={form.bio}>{user.bio}</Fact>
        <Fact name={userStrings.verified}>{moment(user.verifiedAt)}</Fact>
        <Fact name={strings.created}>{moment(user.createdAt)}</Fact>
        <Fact name={text.changed}>{moment(user.updatedAt)}</Fact>
        {user.deletedAt && <Fact name={userStrings.deletedBadge}>{moment(user.deletedAt)}</Fact>}
        <Fact name={text.id}>
          <span className="font-mono text-xs">{user.id}</span>
        </Fact>
      </dl>
    </div>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-xs leading-5 text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere whitespace-pre-wrap">{children || <span className="text-muted">—</span>}</dd>
    </div>
  );
}

function moment(at: Timestamp | undefined): string | undefined {
  const date = toDate(at);
  return date && `${dateTime(date)} · ${relativeTime(date)}`;
}
