import type { Light, LightGroup } from "@followspot/contract/lights";
import { useForm, useWatch } from "react-hook-form";
import { strings } from "../lib/strings.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions, DialogBody } from "../ui/dialog.tsx";
import { CheckboxField, SelectField, TextField } from "../ui/fields.tsx";
import { FormError } from "../ui/form-error.tsx";
import { GROUP_TYPES, groupRules } from "./light-rules.ts";
import { useSaveGroup } from "./lights.queries.ts";
import { lightStrings } from "./lights.strings.ts";

const text = lightStrings.groups;

/** Creates a group, or edits `group`. */
export function GroupDialog({
  group,
  lights,
  onClose,
}: {
  readonly group: LightGroup | undefined;
  readonly lights: readonly Light[];
  readonly onClose: () => void;
}) {
  const save = useSaveGroup(group);
  const { register, handleSubmit, control, formState } = useForm({
    defaultValues: {
      id: group?.id ?? "",
      name: group?.name ?? "",
      type: group?.type ?? "",
      // Checkboxes speak in text.
      lights: (group?.fixtureIds ?? []).map(String),
      enabled: group?.enabled ?? true,
    },
  });
  const { errors } = formState;
  const chosen = useWatch({ control, name: "lights" });
  const submit = handleSubmit(({ lights: ids, ...fields }) =>
    save.mutate(
      { ...fields, id: fields.id.trim(), name: fields.name.trim(), fixtureIds: ids.map(Number) },
      { onSuccess: onClose },
    ),
  );
  return (
    <Dialog open title={group ? text.editTitle : text.createTitle} onClose={onClose}>
      <form noValidate className="contents" onSubmit={(submission) => void submit(submission)}>
        <DialogBody>
          <FormError error={save.error} />
          {!group && (
            <TextField
              autoFocus
              label={text.idLabel}
              hint={text.idHint}
              error={errors.id?.message}
              maxLength={100}
              {...register("id", { validate: groupRules.id })}
            />
          )}
          <TextField
            autoFocus={!!group}
            label={text.nameLabel}
            error={errors.name?.message}
            maxLength={200}
            {...register("name", { validate: groupRules.name })}
          />
          <SelectField
            label={text.typeLabel}
            error={errors.type?.message}
            {...register("type", { validate: groupRules.type })}
          >
            <option value="">{text.chooseType}</option>
            {GROUP_TYPES.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </SelectField>
          <fieldset>
            <legend className="mb-1 text-xs font-medium">{text.lights(chosen.length)}</legend>
            {lights.length === 0 ? (
              <p className="text-muted">{text.noLights}</p>
            ) : (
              <div className="max-h-64 overflow-auto rounded-md border px-2 py-1">
                {lights.map((light) => (
                  <CheckboxField
                    key={light.id}
                    value={String(light.id)}
                    label={
                      <>
                        {light.label || text.lightName(light.id)}{" "}
                        <span className="font-mono text-xs text-muted">{text.address(light.dmxAddress)}</span>
                      </>
                    }
                    {...register("lights", { validate: groupRules.lights })}
                  />
                ))}
              </div>
            )}
            {errors.lights && (
              <p role="alert" className="mt-1 text-xs text-danger">
                {errors.lights.message}
              </p>
            )}
          </fieldset>
          {group && <CheckboxField label={text.enabled} {...register("enabled")} />}
        </DialogBody>
        <DialogActions>
          <Button large onClick={onClose}>
            {strings.cancel}
          </Button>
          <Button large type="submit" variant="primary" pending={save.isPending}>
            {save.isPending ? strings.saving : group ? text.submitUpdate : text.submitCreate}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
