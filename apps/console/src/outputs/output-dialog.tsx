import { useTransport } from "@connectrpc/connect-query";
import { LightsService, type FoundDevice, type Output } from "@followspot/contract/lights";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { changedFields, mergeFields } from "../lib/list-merge.ts";
import { caller } from "../lib/list-source.ts";
import { ConflictNotice } from "../ui/conflict-notice.tsx";
import { Dialog, DialogBody, SaveActions } from "../ui/dialog.tsx";
import { CheckboxField, SelectField, TextField } from "../ui/fields.tsx";
import { fieldsOf, isUsb, wholeNumber, type OutputFields } from "./output-fields.ts";
import { useSaveOutput } from "./outputs.queries.ts";
import { outputStrings } from "./outputs.strings.ts";

const text = outputStrings.form;
const MAX_UNIVERSE = 63_999;
const MAX_ARTNET = 32_767;
const MAX_LABEL = 100;

/** Adds an output, or edits `output`. */
export function OutputDialog({
  output,
  universe,
  devices,
  onClose,
}: {
  readonly output: Output | undefined;
  /** For a new output. */
  readonly universe: number;
  readonly devices: readonly FoundDevice[];
  readonly onClose: () => void;
}) {
  const transport = useTransport();
  /** The output as read last: a save is refused when it has changed since. */
  const [base, setBase] = useState(output);
  const save = useSaveOutput(base);
  const { register, handleSubmit, control, getValues, setValue, reset, formState } = useForm<OutputFields>({
    defaultValues: fieldsOf(output, universe),
  });
  const { errors, isDirty } = formState;
  const [protocol, multicast] = useWatch({ control, name: ["protocol", "multicast"] });
  const goOnFrom = (theirs: Output, fields: OutputFields) => {
    reset(fieldsOf(theirs));
    reset(fields, { keepDefaultValues: true });
    setBase(theirs);
    save.reset();
  };
  const submit = handleSubmit((fields) => save.mutate(fields, { onSuccess: onClose }));
  const toMulticast = protocol === "sacn" && multicast;
  return (
    <Dialog open dirty={isDirty} title={output ? text.editTitle : text.createTitle} onClose={onClose}>
      <form noValidate className="contents" onSubmit={(submission) => void submit(submission)}>
        <DialogBody>
          <ConflictNotice
            error={save.error}
            read={async (signal) => {
              const { outputs } = await caller(transport, signal)(LightsService.method.listOutputs, {});
              return outputs.find(({ id }) => id === base?.id);
            }}
            differences={(theirs) =>
              changedFields(fieldsOf(base), fieldsOf(theirs)).map((name) => ({
                label: NAMES[name],
                theirs: String(fieldsOf(theirs)[name]),
              }))
            }
            onTheirs={(theirs) => goOnFrom(theirs, fieldsOf(theirs))}
            onMine={(theirs) => goOnFrom(theirs, mergeFields(fieldsOf(base), getValues(), fieldsOf(theirs)))}
          />
          <SelectField
            autoFocus
            label={text.protocol}
            {...register("protocol", {
              // sACN has no universe 0; most often it is called as ours.
              onChange: () => {
                if (getValues("protocol") === "sacn" && Number(getValues("portAddress")) === 0) {
                  setValue("portAddress", getValues("universe"));
                }
              },
            })}
          >
            {Object.entries(outputStrings.protocols).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </SelectField>
          <TextField label={text.label} hint={text.labelHint} most={MAX_LABEL} {...register("label")} />
          {isUsb(protocol) && (
            <>
              <TextField
                label={text.device}
                hint={text.deviceHint}
                error={errors.device?.message}
                list="usb-adapters"
                {...register("device", { validate: (value) => value.trim() !== "" || text.deviceNeeded })}
              />
              <datalist id="usb-adapters">
                {devices.map(({ path, name }) => (
                  <option key={path} value={path}>
                    {name}
                  </option>
                ))}
              </datalist>
            </>
          )}
          {protocol === "sacn" && <CheckboxField label={text.multicast} {...register("multicast")} />}
          {!isUsb(protocol) && !toMulticast && (
            <TextField
              label={text.host}
              hint={text.hostHint}
              error={errors.host?.message}
              {...register("host", { validate: (value) => value.trim() !== "" || text.hostNeeded })}
            />
          )}
          {toMulticast && (
            <TextField label={text.localAddress} hint={text.localAddressHint} {...register("localAddress")} />
          )}
          <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
            <TextField
              label={text.universe}
              hint={text.universeHint}
              error={errors.universe?.message}
              inputMode="numeric"
              {...register("universe", { validate: wholeNumber(1, MAX_UNIVERSE) })}
            />
            {protocol === "artnet" && (
              <TextField
                key="artnet"
                label={text.portAddress}
                hint={text.portAddressHint}
                error={errors.portAddress?.message}
                inputMode="numeric"
                {...register("portAddress", { validate: wholeNumber(0, MAX_ARTNET) })}
              />
            )}
            {protocol === "sacn" && (
              <TextField
                key="sacn"
                label={text.wireUniverse}
                hint={text.wireUniverseHint}
                error={errors.portAddress?.message}
                inputMode="numeric"
                {...register("portAddress", { validate: wholeNumber(1, MAX_UNIVERSE) })}
              />
            )}
            <TextField
              label={text.offset}
              hint={text.offsetHint}
              error={errors.offsetMs?.message}
              {...register("offsetMs", { validate: wholeNumber(-1000, 1000) })}
            />
            <TextField
              label={text.rate}
              hint={text.rateHint}
              error={errors.rateHz?.message}
              inputMode="numeric"
              {...register("rateHz", { validate: wholeNumber(1, 44, true) })}
            />
            {protocol === "sacn" && (
              <TextField
                label={text.priority}
                hint={text.priorityHint}
                error={errors.priority?.message}
                inputMode="numeric"
                {...register("priority", { validate: wholeNumber(0, 200) })}
              />
            )}
            {!isUsb(protocol) && (
              <TextField
                label={text.port}
                hint={text.portHint}
                error={errors.port?.message}
                inputMode="numeric"
                {...register("port", { validate: wholeNumber(1, 65_535, true) })}
              />
            )}
          </div>
          <CheckboxField label={text.enabled} {...register("enabled")} />
        </DialogBody>
        <SaveActions label={output ? text.update : text.create} pending={save.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}

/** What the fields are called where somebody else has changed them. */
const NAMES: Readonly<Record<keyof OutputFields, string>> = {
  protocol: "Protocol",
  label: text.label,
  host: "Host",
  port: text.port,
  multicast: "Multicast",
  localAddress: text.localAddress,
  priority: text.priority,
  device: "Serial port",
  universe: "Universe",
  portAddress: "Port address",
  offsetMs: text.offset,
  rateHz: text.rate,
  enabled: text.enabled,
};
