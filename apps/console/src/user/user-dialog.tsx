import type { User } from "@followspot/contract/user";
import { useForm } from "react-hook-form";
import { strings } from "../lib/strings.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions, DialogBody } from "../ui/dialog.tsx";
import { CheckboxField, FileField, TextAreaField, TextField } from "../ui/fields.tsx";
import { FormError } from "../ui/form-error.tsx";
import { ROLES, userRules } from "./user-rules.ts";
import { useSaveUser } from "./user.queries.ts";
import { userStrings } from "./user.strings.ts";

const text = userStrings.form;

/** Creates a user, or edits `user`. */
export function UserDialog({ user, onClose }: { readonly user: User | undefined; readonly onClose: () => void }) {
  const save = useSaveUser(user);
  const { register, handleSubmit, formState } = useForm({
    defaultValues: {
      name: user?.name ?? "",
      username: user?.username ?? "",
      email: user?.email ?? "",
      phone: user?.phone ?? "",
      purpose: user?.purpose ?? "",
      bio: user?.bio ?? "",
      roles: [...(user?.roles ?? [])],
      photos: undefined as unknown as FileList,
    },
  });
  const { errors } = formState;
  const submit = handleSubmit(({ photos, ...fields }) =>
    save.mutate({ ...trimmed(fields), roles: fields.roles, photo: photos?.[0] }, { onSuccess: onClose }),
  );
  return (
    <Dialog open wide title={user ? text.editTitle : text.createTitle} onClose={onClose}>
      <form noValidate className="contents" onSubmit={(submission) => void submit(submission)}>
        <DialogBody>
          <FormError error={save.error} />
          <div className="grid gap-3 sm:grid-cols-2">
            <TextField
              autoFocus
              label={text.name}
              error={errors.name?.message}
              maxLength={200}
              {...register("name", { validate: userRules.name })}
            />
            <TextField label={text.username} maxLength={100} {...register("username")} />
            <TextField
              label={text.email}
              type="email"
              error={errors.email?.message}
              maxLength={254}
              {...register("email", { validate: userRules.email })}
            />
            <TextField
              label={text.phone}
              type="tel"
              error={errors.phone?.message}
              maxLength={50}
              {...register("phone", { validate: userRules.phone })}
            />
          </div>
          <TextField label={text.purpose} maxLength={2000} {...register("purpose")} />
          <TextAreaField label={text.bio} maxLength={10000} {...register("bio")} />
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
        <DialogActions>
          <Button large onClick={onClose}>
            {strings.cancel}
          </Button>
          <Button large type="submit" variant="primary" pending={save.isPending}>
            {save.isPending ? strings.saving : user ? text.submitUpdate : text.submitCreate}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function trimmed<Fields extends Record<"name" | "username" | "email" | "phone" | "purpose" | "bio", string>>(
  fields: Fields,
) {
  const { name, username, email, phone, purpose, bio } = fields;
  return {
    name: name.trim(),
    username: username.trim(),
    email: email.trim(),
    phone: phone.trim(),
    purpose: purpose.trim(),
    bio: bio.trim(),
  };
}
