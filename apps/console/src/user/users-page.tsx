import type { User } from "@followspot/contract/user";
import { getRouteApi } from "@tanstack/react-router";
import { Plus, UserRound } from "lucide-react";
import { useState } from "react";
import { plainErrorText } from "../lib/errors.ts";
import { dateTime, relativeTime, toDate } from "../lib/formatting.ts";
import type { ListSearch } from "../lib/list-search.ts";
import { strings } from "../lib/strings.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { SearchField } from "../ui/fields.tsx";
import { Page } from "../ui/page.tsx";
import { pageOf, Pager } from "../ui/pager.tsx";
import { Segments } from "../ui/segments.tsx";
import { EmptyState, ErrorState, Loading, NoMatch } from "../ui/states.tsx";
import { Status } from "../ui/status.tsx";
import { ActionsCell, Cell, HeadCell, Row, Table, TableFrame } from "../ui/table.tsx";
import { Thumbnail } from "../ui/thumbnail.tsx";
import { showToast } from "../ui/toast.tsx";
import { UserDialog } from "./user-dialog.tsx";
import { useDeleteUser, usePurgeUser, useRestoreUser, useUsers } from "./user.queries.ts";
import { userStrings as text } from "./user.strings.ts";

type UserFilter = keyof typeof text.filters;
type Doing = { readonly what: "edit" | "delete" | "purge"; readonly user: User } | { readonly what: "create" };

const FILTERS: Record<UserFilter, (user: User) => boolean> = {
  all: () => true,
  verified: (user) => !user.deletedAt && user.verifiedAt !== undefined,
  pending: (user) => !user.deletedAt && user.verifiedAt === undefined,
  deleted: (user) => user.deletedAt !== undefined,
};

const route = getRouteApi("/shell/users");

export function UsersPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const users = useUsers();
  const restore = useRestoreUser();
  const [doing, setDoing] = useState<Doing>();
  const close = () => setDoing(undefined);
  const change = (next: ListSearch) =>
    void navigate({ search: { ...search, page: undefined, ...next }, replace: true });

  const all = users.data?.users ?? [];
  const filter = (Object.keys(FILTERS) as UserFilter[]).find((each) => each === search.show) ?? "all";
  const matching = all.filter((user) => FILTERS[filter](user) && matches(user, search.q));
  const { rows, page, pages } = pageOf(matching, search.page ?? 1);
  const bringBack = ({ id, name }: User) =>
    restore.mutate(
      { userId: id },
      { onError: (error) => showToast(`${name}: ${plainErrorText(error)}`, { bad: true }) },
    );

  return (
    <Page
      title={text.title}
      beside={
        <Segments
          label={text.filterLabel}
          value={filter}
          onChange={(value) => change({ show: value === "all" ? undefined : value })}
          segments={(Object.keys(FILTERS) as UserFilter[]).map((value) => ({
            value,
            label: text.filters[value],
            ...(users.data && { count: all.filter(FILTERS[value]).length }),
          }))}
        />
      }
      tools={
        <>
          <SearchField
            label={text.search}
            hint={text.searchHint}
            value={search.q ?? ""}
            onSearch={(q) => change({ q: q || undefined })}
          />
          <Button variant="primary" onClick={() => setDoing({ what: "create" })}>
            <Plus aria-hidden size={14} /> {text.create}
          </Button>
        </>
      }
    >
      {users.isPending ? (
        <Loading />
      ) : users.isError && !users.data ? (
        <ErrorState prefix={text.loadError} error={users.error} onRetry={() => void users.refetch()} />
      ) : all.length === 0 ? (
        <EmptyState text={text.empty} />
      ) : matching.length === 0 ? (
        <NoMatch onClear={() => change({ show: undefined, q: undefined })} />
      ) : (
        <>
          <TableFrame label={text.title} refreshing={users.isFetching}>
            <Table>
              <thead>
                <tr>
                  <HeadCell>{text.columns.photo}</HeadCell>
                  <HeadCell>{text.columns.name}</HeadCell>
                  <HeadCell>{text.columns.phone}</HeadCell>
                  <HeadCell>{strings.status}</HeadCell>
                  <HeadCell>{strings.created}</HeadCell>
                  <HeadCell className="text-right">{strings.actions}</HeadCell>
                </tr>
              </thead>
              <tbody>
                {rows.map((user) => (
                  <UserRow
                    key={user.id}
                    user={user}
                    onDo={(what) => setDoing({ what, user })}
                    onRestore={() => bringBack(user)}
                  />
                ))}
              </tbody>
            </Table>
          </TableFrame>
          <Pager page={page} pages={pages} onPage={(next) => change({ page: next })} />
        </>
      )}
      {(doing?.what === "create" || doing?.what === "edit") && (
        <UserDialog user={doing.what === "edit" ? doing.user : undefined} onClose={close} />
      )}
      {doing?.what === "delete" && (
        <DeleteDialog user={doing.user} onClose={close} onUndo={() => bringBack(doing.user)} />
      )}
      {doing?.what === "purge" && <PurgeDialog user={doing.user} onClose={close} />}
    </Page>
  );
}

function UserRow({
  user,
  onDo,
  onRestore,
}: {
  readonly user: User;
  readonly onDo: (what: "edit" | "delete" | "purge") => void;
  readonly onRestore: () => void;
}) {
  const created = toDate(user.createdAt);
  const nameId = `user-${user.id}`;
  const button = (action: string) => ({ "aria-describedby": nameId, children: action });
  return (
    <Row className="h-13">
      <Cell className="w-15">
        <Thumbnail round src={user.photoUrl} fallback={<UserRound size={16} />} />
      </Cell>
      <Cell className="min-w-36">
        <span id={nameId} className="line-clamp-1 font-medium wrap-anywhere">
          {user.name}
        </span>
        <span className="line-clamp-1 text-xs wrap-anywhere text-muted">
          {[user.email, user.roles.join(", ")].filter(Boolean).join(" · ")}
        </span>
      </Cell>
      <Cell className="whitespace-nowrap">{user.phone || "—"}</Cell>
      <Cell>
        <span className="flex flex-wrap gap-x-3">
          {user.verifiedAt ? <Status tone="ok">{text.verified}</Status> : <Status tone="wait">{text.pending}</Status>}
          {user.deletedAt && <Status tone="bad">{text.deletedBadge}</Status>}
        </span>
      </Cell>
      <Cell className="whitespace-nowrap text-muted" title={created && dateTime(created)}>
        {created ? relativeTime(created) : "—"}
      </Cell>
      <ActionsCell>
        {user.deletedAt && <Button {...button(text.restore)} onClick={onRestore} />}
        <Button {...button(strings.edit)} onClick={() => onDo("edit")} />
        {user.deletedAt ? (
          <Button variant="danger" {...button(text.purge)} onClick={() => onDo("purge")} />
        ) : (
          <Button variant="danger" {...button(strings.delete)} onClick={() => onDo("delete")} />
        )}
      </ActionsCell>
    </Row>
  );
}

function DeleteDialog({
  user,
  onClose,
  onUndo,
}: {
  readonly user: User;
  readonly onClose: () => void;
  readonly onUndo: () => void;
}) {
  const remove = useDeleteUser();
  return (
    <ConfirmDialog
      open
      title={text.deleteTitle}
      message={text.deleteQuestion(user.name)}
      confirmLabel={remove.isPending ? text.deleting : strings.delete}
      pending={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(
          { userId: user.id },
          {
            onSuccess: () => {
              onClose();
              showToast(text.deleted(user.name), { undo: onUndo });
            },
          },
        )
      }
    />
  );
}

function PurgeDialog({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const purge = usePurgeUser();
  return (
    <ConfirmDialog
      open
      title={text.purgeTitle}
      message={text.purgeQuestion(user.name)}
      confirmLabel={purge.isPending ? text.purging : text.purgeConfirm}
      typeToConfirm={user.name.trim() || undefined}
      pending={purge.isPending}
      error={purge.error}
      onClose={onClose}
      onConfirm={() =>
        purge.mutate(
          { userId: user.id },
          {
            onSuccess: () => {
              onClose();
              showToast(text.purged(user.name));
            },
          },
        )
      }
    />
  );
}

function matches({ id, name, username, email, phone }: User, query: string | undefined): boolean {
  if (!query) return true;
  const wanted = query.trim().toLowerCase();
  return id === query.trim() || [name, username, email, phone].some((text) => text.toLowerCase().includes(wanted));
}
