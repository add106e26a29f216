import { UserService, type User } from "@followspot/contract/user";
import { useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useCallback, useMemo } from "react";
import { useCan } from "../auth/can.ts";
import { useSession } from "../auth/session.ts";
import { strings } from "../lib/strings.ts";
import { useListScreen, useUrlSearch } from "../lib/use-list-screen.ts";
import { Button } from "../ui/button.tsx";
import { DeleteDialog, sayWhy } from "../ui/delete-dialog.tsx";
import { ListPage } from "../ui/list-page.tsx";
import { Options } from "../ui/options.tsx";
import { RowActions } from "../ui/row-parts.tsx";
import { bulkRoles } from "./bulk-roles.tsx";
import { bulkDelete, type BulkAction } from "../ui/selection-bar.tsx";
import { ImportDialog } from "./import/import-dialog.tsx";
import { importStrings } from "./import/import.strings.ts";
import { PersonDrawer } from "./person-drawer.tsx";
import { tabsFor, type PersonTab } from "./person-tabs.ts";
import { SignUpDialog } from "./sign-up-dialog.tsx";
import { userColumns, userCsv } from "./user-columns.tsx";
import { UserDialog } from "./user-dialog.tsx";
import { userSearch, type UserSearch } from "./user-search.ts";
import { usersOf, useUserCalls } from "./user.queries.ts";
import { userStrings as text } from "./user.strings.ts";

const rpc = UserService.method;
/** Refetch interval for the online status, ms. No event announces it; the server records it at the same interval. */
const PRESENCE_MS = 60_000;

export function UsersPage() {
  const [search, change] = useUrlSearch();
  const { role = "", person, tab } = userSearch(useSearch({ strict: false }));
  const source = useMemo(() => usersOf(role), [role]);
  const found = useListScreen(source, [search, change], { readAgainAfter: () => PRESENCE_MS });
  const chooseRole = (next: string) => change({ role: next || undefined } as UserSearch);
  const list = {
    ...found,
    isFiltered: found.isFiltered || role !== "",
    clear: () => change({ q: undefined, show: undefined, role: undefined } as UserSearch),
  };
  const can = useCan();
  const { id: ownId } = useSession();
  const calls = useUserCalls();
  const tabs = useMemo(() => tabsFor(can), [can]);
  const showPerson = useCallback(
    (id: string | undefined, next: PersonTab = "profile") =>
      change({ person: id, tab: next === "profile" ? undefined : next, open: undefined } as UserSearch),
    [change],
  );
  const { dialog, open, close } = found;
  const shown = dialog?.row;
  const columns = useMemo(
    () =>
      userColumns(
        (user: User, isNarrow: boolean) => (
          <RowActions
            id={user.id}
            isNarrow={isNarrow}
            actions={[
              can(rpc.restoreUser) &&
                user.deletedAt && { label: strings.restore, act: () => calls.restore(user).catch(sayWhy) },
              can(rpc.updateUser) && { label: strings.edit, act: () => open("edit", user) },
              can(rpc.purgeUser) &&
                user.deletedAt && { label: text.purge, isDanger: true, act: () => open("purge", user) },
              can(rpc.deleteUser) &&
                !user.deletedAt && { label: strings.delete, isDanger: true, act: () => open("delete", user) },
            ]}
            more={tabs.map((each) => ({ label: text.person.tabs[each], onSelect: () => showPerson(user.id, each) }))}
          />
        ),
        ({ id }) => showPerson(id),
      ),
    [can, calls, tabs, open, showPerson],
  );
  const editDialog = dialog?.what === "edit" && shown && <UserDialog key={shown.id} user={shown} onClose={close} />;
  const restoreAll: BulkAction<User> = {
    label: strings.restore,
    isFor: ({ deletedAt }) => deletedAt !== undefined,
    act: calls.restore,
    done: text.bulkRestored,
    undo: calls.remove,
  };
  return (
    <ListPage
      list={list}
      text={text}
      filters={text.filters}
      columns={columns}
      csv={userCsv}
      rowHeight={52}
      onOpen={can(rpc.updateUser) ? (user) => open("edit", user) : undefined}
      beside={
        <select
          aria-label={text.roleLabel}
          className="h-7 rounded-md border bg-surface px-1.5 text-xs text-fg"
          value={role}
          onChange={({ target }) => chooseRole(target.value)}
        >
          <Options of={Object.entries(text.roleFilters)} />
        </select>
      }
      bulk={[
        ...(can(rpc.updateUser) ? [bulkRoles(calls.setRoles, ownId)] : []),
        ...(can(rpc.restoreUser) ? [restoreAll] : []),
        ...(can(rpc.deleteUser)
          ? [bulkDelete(text, calls, ({ id, deletedAt }) => !deletedAt && id !== ownId, whoIsAmong(ownId))]
          : []),
      ]}
      tools={
        <>
          {can(rpc.setSignUp) && <Button onClick={() => open("sign-up")}>{text.signUp.open}</Button>}
          {can(rpc.importUsers) && <Button onClick={() => open("import")}>{importStrings.open}</Button>}
          {can(rpc.createUser) && (
            <Button variant="primary" onClick={() => open("new")}>
              <Plus aria-hidden size={14} /> {text.create}
            </Button>
          )}
        </>
      }
    >
      {dialog?.what === "new" && <UserDialog user={undefined} onClose={close} />}
      {dialog?.what === "import" && <ImportDialog onClose={close} />}
      {dialog?.what === "sign-up" && <SignUpDialog onClose={close} />}
      {person === undefined ? (
        editDialog
      ) : (
        <PersonDrawer
          key={person}
          userId={person}
          known={list.rows.find(({ id }) => id === person)}
          tab={tab}
          onTab={(next) => showPerson(person, next)}
          onEdit={(user) => open("edit", user)}
          onClose={() => showPerson(undefined)}
        >
          {editDialog}
        </PersonDrawer>
      )}
      {dialog?.what === "delete" && shown && (
        <DeleteDialog
          title={text.deleteTitle}
          question={[text.deleteQuestion(shown.name), shown.id === ownId && text.deleteSelf].filter(Boolean).join(" ")}
          done={text.deleted(shown.name)}
          remove={() => calls.remove(shown)}
          restore={() => calls.restore(shown)}
          onClose={close}
        />
      )}
      {dialog?.what === "purge" && shown && (
        <DeleteDialog
          title={text.purgeTitle}
          question={text.purgeQuestion(shown.name)}
          label={text.purgeConfirm}
          pendingLabel={text.purging}
          typeToConfirm={shown.name.trim() || undefined}
          done={text.purged(shown.name)}
          remove={() => calls.purge(shown)}
          onClose={close}
        />
      )}
    </ListPage>
  );
}

/** Adds to the bulk-delete confirmation: the Admins among the selected users, and that the signed-in user is skipped. */
const whoIsAmong = (ownId: string) => (users: readonly User[], chosen: readonly User[]) => {
  const admins = users.filter(({ roles }) => roles.includes("Admin"));
  return [
    admins.length > 0 && text.bulkAdmins(admins.map(({ name, email, id }) => name || email || id)),
    chosen.some(({ id }) => id === ownId) && text.bulkSelf,
  ]
    .filter(Boolean)
    .join(" ");
};
