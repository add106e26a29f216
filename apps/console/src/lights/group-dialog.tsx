import { GROUP_TYPES } from "@followspot/contract";
import { LightsService, type Light, type LightGroup } from "@followspot/contract/lights";
import { useWatch } from "react-hook-form";
import { useCan } from "../auth/can.ts";
import { EditDialog, useEdit } from "../ui/edit-dialog.tsx";
import { CheckboxField, SelectField, TextField } from "../ui/fields.tsx";
import { groupRules, LIGHT_LIMITS } from "./light-rules.ts";
import { GROUPS, useRestoreGroup, useSaveGroup, type GroupFields } from "./lights.queries.ts";
import { lightStrings } from "./lights.strings.ts";

const text = lightStrings.groups;

interface Fields extends Omit<GroupFields, "fixtureIds"> {
  /** Light IDs as strings, because checkbox values are strings. */
  readonly lights: readonly string[];
}

/** Dialog that creates a light group, or edits `group`. */
export function GroupDialog({
  group,
  lights,
  onClose,
}: {
  readonly group: LightGroup | undefined;
  readonly lights: readonly Light[];
  readonly onClose: () => void;
}) {
  const edit = useEdit(group, fieldsOf);
  const save = useSaveGroup(edit.base);
  const can = useCan();
  const again = useRestoreGroup();
  const restore = (deleted: LightGroup) => again(deleted, lights);
  const { register, control, formState } = edit.form;
  const { errors } = formState;
  const chosen = useWatch({ control, name: "lights" });
  return (
    <EditDialog
      edit={edit}
      save={save}
      title={group ? text.editTitle : text.createTitle}
      submitLabel={group ? text.submitUpdate : text.submitCreate}
      read={(call, { id }) => GROUPS.one(call, id)}
      labelOf={(name) => text.names[name]}
      deletion={{ restore: can(LightsService.method.createGroup) ? restore : undefined }}
      onSubmit={({ lights: ids, ...fields }) =>
        save.mutate({ ...fields, fixtureIds: ids.map(Number) }, { onSuccess: onClose })
      }
      onClose={onClose}
    >
      {!group && (
        <TextField
          autoFocus
          label={text.idLabel}
          hint={text.idHint}
          error={errors.id?.message}
          most={LIGHT_LIMITS.id}
          {...register("id", { validate: groupRules.id })}
        />
      )}
      <TextField
        autoFocus={!!group}
        label={text.nameLabel}
        error={errors.name?.message}
        most={LIGHT_LIMITS.name}
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
    </EditDialog>
  );
}

function fieldsOf(group: LightGroup | undefined): Fields {
  const { id = "", name = "", type = "", fixtureIds = [], enabled = true } = group ?? {};
  return { id, name, type, lights: fixtureIds.map(String), enabled };
}
