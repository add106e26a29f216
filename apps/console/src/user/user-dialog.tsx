import { UserService, type User } from "@followspot/contract/user";
import { useState } from "react";
import { useCan } from "../auth/can.ts";
import { useSession } from "../auth/session.ts";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { EditDialog, fieldsIn, useEdit, type FieldRows } from "../ui/edit-dialog.tsx";
import { CheckboxField, FileField, TextAreaField, TextField } from "../ui/fields.tsx";
import { ROLES, USER_LIMITS, userRules } from "./user-rules.ts";
import { USERS, useSaveUser, useUserCalls, type UserFields } from "./user.queries.ts";
import { userStrings } from "./user.strings.ts";

const text = userStrings.form;

const ROWS: FieldRows<UserFields, keyof typeof USER_LIMITS> = {
  name: { label: text.name, most: USER_LIMITS.name, rule: userRules.name },
  username: { label: text.username, most: USER_LIMITS.username, rule: userRules.username },
  email: { label: text.email, most: USER_LIMITS.email, rule: userRules.email, type: "email" },
  phone: { label: text.phone, most: USER_LIMITS.phone, rule: userRules.phone, type: "tel" },
  purpose: { label: text.purpose, most: USER_LIMITS.purpose, rule: userRules.purpose },
  bio: { label: text.bio, most: USER_LIMITS.bio, rule: userRules.bio },
};

/** Dialog that creates a user, or edits `user`. */
export function UserDialog({ user, onClose }: { readonly user: User | undefined; readonly onClose: () => void }) {
  const edit = useEdit(user, fieldsOf);
  const { base, form } = edit;
  const save = useSaveUser(base);
  const field = fieldsIn(form, ROWS);
  const [photo, setPhoto] = useState<File>();
  const me = useSession();
  const can = useCan();
  const { restore } = useUserCalls();
  /** Change awaiting confirmation, because the signed-in user would lose own roles. */
  const [asking, setAsking] = useState<Parameters<typeof save.mutate>[0]>();
  const lost = (wanted: UserFields) => fieldsOf(base).roles.filter((role) => !wanted.roles.includes(role));
  const send = (wanted: NonNullable<typeof asking>) => save.mutate(wanted, { onSuccess: onClose });
  return (
    <EditDialog
      wide
      edit={edit}
      save={save}
      hasFile={photo !== undefined}
      title={user ? text.editTitle : text.createTitle}
      submitLabel={user ? text.submitUpdate : text.submitCreate}
      read={(call, { id }) => USERS.one(call, id)}
      labelOf={(name) => text[name].replace(" *", "")}
      deletion={{
        isDeleted: ({ deletedAt }) => deletedAt !== undefined,
        restore: can(UserService.method.restoreUser) ? restore : undefined,
      }}
      onSubmit={(fields) => {
        const wanted = { ...fields, photo };
        if (base?.id === me.id && lost(wanted).length > 0) setAsking(wanted);
        else send(wanted);
      }}
      onClose={onClose}
      question={
        asking && (
          <ConfirmDialog
            open
            title={text.ownRoles.title}
            message={text.ownRoles.question(lost(asking))}
            confirmLabel={text.ownRoles.confirm}
            onClose={() => setAsking(undefined)}
            onConfirm={() => {
              setAsking(undefined);
              send(asking);
            }}
          />
        )
      }
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField autoFocus {...field("name")} />
        <TextField {...field("username")} />
        <TextField {...field("email")} />
        <TextField {...field("phone")} />
      </div>
      <TextField {...field("purpose")} />
      <TextAreaField {...field("bio")} />
      <FileField label={text.photo} accept="image/*" onChange={({ target }) => setPhoto(target.files?.[0])} />
      <fieldset>
        <legend className="mb-1 text-xs font-medium">{text.roles}</legend>
        <div className="flex flex-wrap gap-4">
          {ROLES.map((role) => (
            <CheckboxField key={role} label={role} value={role} {...form.register("roles")} />
          ))}
        </div>
      </fieldset>
    </EditDialog>
  );
}

function fieldsOf(user: User | undefined): UserFields {
  const { name = "", username = "", email = "", phone = "", purpose = "", bio = "", roles = [] } = user ?? {};
  return { name, username, email, phone, purpose, bio, roles: ROLES.filter((role) => roles.includes(role)) };
}
