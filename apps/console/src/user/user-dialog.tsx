import { useTransport } from "@connectrpc/connect-query";
import type { User } from "@followspot/contract/user";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useSession } from "../auth/session.ts";
import { changedFields, mergeFields } from "../lib/list-merge.ts";
import { caller } from "../lib/list-source.ts";
import { ConflictNotice } from "../ui/conflict-notice.tsx";
import { ConfirmDialog, Dialog, DialogBody, SaveActions } from "../ui/dialog.tsx";
import { CheckboxField, FileField, TextAreaField, TextField } from "../ui/fields.tsx";
import { ROLES, USER_LIMITS, userRules } from "./user-rules.ts";
import { USERS, useSaveUser, type UserFields } from "./user.queries.ts";
import { userStrings } from "./user.strings.ts";

const text = userStrings.form;

/** Creates a user, or edits `user`. */
export function UserDialog({ user, onClose }: { readonly user: User | undefined; readonly onClose: () => void }) {
  const transport = useTransport();
  /** The person as read last: a save is refused when they have changed since. */
  const [base, setBase] = useState(user);
  const save = useSaveUser(base);
  const { register, handleSubmit, reset, getValues, formState } = useForm({
    defaultValues: { ...fieldsOf(user), photos: undefined as unknown as FileList },
  });
  const { errors, isDirty } = formState;
  const mine = (): UserFields => {
    const { photos: _photos, ...fields } = getValues();
    return fields;
  };
  const goOnFrom = (theirs: User, fields: UserFields) => {
    reset({ ...fieldsOf(theirs), photos: getValues("photos") });
    reset({ ...fields, photos: getValues("photos") }, { keepDefaultValues: true });
    setBase(theirs);
    save.reset();
  };
  const me = useSession();
  /** What waits for an answer, because somebody would take roles from themselves by it. */
  const [asking, setAsking] = useState<Parameters<typeof save.mutate>[0]>();
  const lost = (wanted: UserFields) => fieldsOf(base).roles.filter((role) => !wanted.roles.includes(role));
  const send = (wanted: NonNullable<typeof asking>) => save.mutate(wanted, { onSuccess: onClose });
  const submit = handleSubmit(({ photos, ...fields }) => {
    const wanted = { ...trimmed(fields), photo: photos?.[0] };
    if (base?.id === me.id && lost(wanted).length > 0) setAsking(wanted);
    else send(wanted);
  });
  const field = (name: keyof typeof USER_LIMITS) => ({
    label: text[name],
    error: errors[name]?.message,
    most: USER_LIMITS[name],
    ...register(name, { validate: userRules[name] }),
  });
  return (
    <Dialog open wide dirty={isDirty} title={user ? text.editTitle : text.createTitle} onClose={onClose}>
      <form noValidate className="contents" onSubmit={(submission) => void submit(submission)}>
        <DialogBody>
          <ConflictNotice
            error={save.error}
            read={(signal) => USERS.one(caller(transport, signal), base?.id ?? "")}
            differences={(theirs) =>
              changedFields(fieldsOf(base), fieldsOf(theirs)).map((name) => ({
                label: text[name].replace(" *", ""),
                theirs: String(fieldsOf(theirs)[name]),
              }))
            }
            onTheirs={(theirs) => goOnFrom(theirs, fieldsOf(theirs))}
            onMine={(theirs) => goOnFrom(theirs, mergeFields(fieldsOf(base), mine(), fieldsOf(theirs)))}
          />
          <div className="grid gap-3 sm:grid-cols-2">
            <TextField autoFocus {...field("name")} />
            <TextField {...field("username")} />
            <TextField type="email" {...field("email")} />
            <TextField type="tel" {...field("phone")} />
          </div>
          <TextField {...field("purpose")} />
          <TextAreaField {...field("bio")} />
          <FileField label={text.photo} accept="image/*" {...register("photos")} />
          <fieldset>
            <legend className="mb-1 text-xs font-medium">{text.roles}</legend>
            <div className="flex flex-wrap gap-4">
              {ROLES.map((role) => (
                <CheckboxField key={role} label={role} value={role} {...register("roles")} />
              ))}
            </div>
          </fieldset>
        </DialogBody>
        <SaveActions label={user ? text.submitUpdate : text.submitCreate} pending={save.isPending} onClose={onClose} />
      </form>
      {asking && (
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
      )}
    </Dialog>
  );
}

function fieldsOf(user: User | undefined): UserFields {
  const { name = "", username = "", email = "", phone = "", purpose = "", bio = "", roles = [] } = user ?? {};
  return { name, username, email, phone, purpose, bio, roles: ROLES.filter((role) => roles.includes(role)) };
}

function trimmed({ roles, ...texts }: UserFields): UserFields {
  const { name, username, email, phone, purpose, bio } = texts;
  return {
    name: name.trim(),
    username: username.trim(),
    email: email.trim(),
    phone: phone.trim(),
    purpose: purpose.trim(),
    bio: bio.trim(),
    roles,
  };
}
