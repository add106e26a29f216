import { useTransport } from "@connectrpc/connect-query";
import { GROUP_TYPES } from "@followspot/contract";
import type { Light, LightGroup } from "@followspot/contract/lights";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { changedFields, mergeFields } from "../lib/list-merge.ts";
import { caller } from "../lib/list-source.ts";
import { ConflictNotice } from "../ui/conflict-notice.tsx";
import { Dialog, DialogBody, SaveActions } from "../ui/dialog.tsx";
import { CheckboxField, SelectField, TextField } from "../ui/fields.tsx";

import { groupRules, LIGHT_LIMITS } from "./light-rules.ts";
import { GROUPS, useSaveGroup, type GroupFields } from "./lights.queries.ts";
import { lightStrings } from "./lights.strings.ts";

const text = lightStrings.groups;

interface Fields extends Omit<GroupFields, "fixtureIds"> {
  /** Ids as text: checkboxes speak in text. */
  readonly lights: readonly string[];
}

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
  const transport = useTransport();
  /** The group as read last: a save is refused when it has changed since. */
  const [base, setBase] = useState(group);
  const save = useSaveGroup(base);
  const { register, handleSubmit, control, getValues, reset, formState } = useForm({ defaultValues: fieldsOf(group) });
  const { errors, isDirty } = formState;
  const goOnFrom = (theirs: LightGroup, fields: Fields) => {
    reset(fieldsOf(theirs));
    reset(fields, { keepDefaultValues: true });
    setBase(theirs);
    save.reset();
  };
  const chosen = useWatch({ control, name: "lights" });
  const submit = handleSubmit(({ lights: ids, ...fields }) =>
    save.mutate(
      { ...fields, id: fields.id.trim(), name: fields.name.trim(), fixtureIds: ids.map(Number) },
      { onSuccess: onClose },
    ),
  );
  return (
    <Dialog open dirty={isDirty} title={group ? text.editTitle : text.createTitle} onClose={onClose}>
      <form noValidate className="contents" onSubmit={(submission) => void submit(submission)}>
        <DialogBody>
          <ConflictNotice
            error={save.error}
            read={(signal) => GROUPS.one(caller(transport, signal), base?.id ?? "")}
            differences={(theirs) =>
              changedFields(fieldsOf(base), fieldsOf(theirs)).map((name) => ({
                label: text.names[name],
                theirs: String(fieldsOf(theirs)[name]),
              }))
            }
            onTheirs={(theirs) => goOnFrom(theirs, fieldsOf(theirs))}
            onMine={(theirs) => goOnFrom(theirs, mergeFields(fieldsOf(base), getValues(), fieldsOf(theirs)))}
          />
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
        </DialogBody>
        <SaveActions label={group ? text.submitUpdate : text.submitCreate} pending={save.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}

function fieldsOf(group: LightGroup | undefined): Fields {
  const { id = "", name = "", type = "", fixtureIds = [], enabled = true } = group ?? {};
  return { id, name, type, lights: fixtureIds.map(String), enabled };
}
