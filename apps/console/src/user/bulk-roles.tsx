import type { User } from "@followspot/contract/user";
import { fieldsIn } from "../ui/edit-dialog.tsx";
import { SelectField } from "../ui/fields.tsx";
import { FormDialog, useDialogForm } from "../ui/form-dialog.tsx";
import { Options } from "../ui/options.tsx";
import type { AskingBulkAction } from "../ui/selection-bar.tsx";
import { ROLES, type Role } from "./user-rules.ts";
import { userStrings } from "./user.strings.ts";

const text = userStrings.bulkRoles;

interface Change {
  readonly way: "give" | "take";
  readonly role: Role;
}

/** Bulk action that grants a role to the selected users or revokes it. Skips deleted users and the signed-in user. */
export function bulkRoles(
  setRoles: (user: User, roles: readonly string[], asOf: User["updatedAt"]) => Promise<unknown>,
  ownId: string,
): AskingBulkAction<User> {
  return {
    label: text.label,
    isFor: ({ id, deletedAt }) => !deletedAt && id !== ownId,
    ask: ({ onAnswer, onClose }) => (
      <RolesDialog
        onChoose={({ way, role }) =>
          onAnswer({
            act: (user) => setRoles(user, rolesAfter(user.roles, { way, role }), user.updatedAt),
            done: (people) => text.done[way](role, people),
            undo: (user) => setRoles(user, user.roles, undefined),
          })
        }
        onClose={onClose}
      />
    ),
  };
}

const rolesAfter = (roles: readonly string[], { way, role }: Change): readonly string[] =>
  way === "give" ? [...new Set([...roles, role])] : roles.filter((each) => each !== role);

function RolesDialog({
  onChoose,
  onClose,
}: {
  readonly onChoose: (change: Change) => void;
  readonly onClose: () => void;
}) {
  const form = useDialogForm<Change>({ way: "give", role: "Director" });
  const field = fieldsIn(form, { way: { label: text.way }, role: { label: text.role } });
  return (
    <FormDialog
      title={text.title}
      submitLabel={text.submit}
      pending={false}
      onSubmit={() => form.handleSubmit(onChoose)()}
      onClose={onClose}
    >
      <SelectField {...field("way")}>
        <Options of={Object.entries(text.ways)} />
      </SelectField>
      <SelectField {...field("role")}>
        <Options of={ROLES.map((role) => [role, role])} />
      </SelectField>
    </FormDialog>
  );
}
