import type { User } from "@followspot/contract/user";
import { UserRound } from "lucide-react";
import type { ReactNode } from "react";
import { isoTime } from "../lib/formatting.ts";
import type { CsvColumn } from "../lib/list-csv.ts";
import { strings } from "../lib/strings.ts";
import { Ago, RowTitle } from "../ui/row-parts.tsx";
import type { TableColumn } from "../ui/table-columns.ts";
import { Thumbnail } from "../ui/thumbnail.tsx";
import { Presence } from "./presence.tsx";
import { UserStatus } from "./user-status.tsx";
import { userStrings as text } from "./user.strings.ts";

export const userColumns = (
  actions: (user: User, isNarrow: boolean) => ReactNode,
  onOpen: (user: User) => void,
): readonly TableColumn<User>[] => [
  {
    id: "photo",
    head: text.columns.photo,
    width: 60,
    narrow: "lead",
    cell: ({ photoUrl }) => <Thumbnail round src={photoUrl} fallback={<UserRound size={16} />} />,
  },
  {
    id: "name",
    head: text.columns.name,
    width: { min: 160, share: 3 },
    narrow: "title",
    sort: "name",
    cell: (user) => (
      <RowTitle
        id={user.id}
        title={user.name}
        below={[user.email || unconfirmed(user), user.roles.join(", ")].filter(Boolean).join(" · ")}
        onOpen={() => onOpen(user)}
      />
    ),
  },
  {
    id: "phone",
    head: text.columns.phone,
    width: { min: 130, share: 1 },
    sort: "phone",
    hideBelow: 720,
    cell: ({ phone }) => <span className="block truncate">{phone || "—"}</span>,
  },
  {
    id: "status",
    head: strings.status,
    width: 190,
    sort: "status",
    narrow: "line",
    cell: (user) => (
      <>
        <UserStatus user={user} />
        <Presence user={user} />
      </>
    ),
  },
  {
    id: "created",
    head: strings.created,
    width: 144,
    sort: "created_at",
    hideBelow: 860,
    cell: ({ createdAt }) => <Ago at={createdAt} />,
  },
  { id: "actions", head: strings.actions, width: 232, align: "end", narrow: "actions", cell: actions },
];

/** Columns of the CSV export. */
const unconfirmed = ({ unconfirmedAddress }: User) => unconfirmedAddress && text.unconfirmedAt(unconfirmedAddress);

export const userCsv: readonly CsvColumn<User>[] = [
  { head: "ID", csv: ({ id }) => id },
  { head: text.columns.name, csv: ({ name }) => name },
  { head: text.form.username, csv: ({ username }) => username },
  { head: text.form.email, csv: ({ email }) => email },
  { head: text.columns.phone, csv: ({ phone }) => phone },
  { head: text.form.roles, csv: ({ roles }) => roles.join(", ") },
  { head: text.verified, csv: ({ verifiedAt }) => isoTime(verifiedAt) },
  { head: strings.created, csv: ({ createdAt }) => isoTime(createdAt) },
  { head: text.lastSeen, csv: ({ lastSeenAt }) => isoTime(lastSeenAt) },
  { head: text.deletedBadge, csv: ({ deletedAt }) => isoTime(deletedAt) },
];
