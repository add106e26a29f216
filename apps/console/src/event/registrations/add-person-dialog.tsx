import type { Registration } from "@followspot/contract/event";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { CheckboxField } from "../../ui/fields.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { PeoplePicker, type PickedPerson } from "../../ui/people-picker.tsx";
import { PEOPLE, useRegistrationCalls } from "./registrations.queries.ts";
import { registrationStrings as text } from "./registrations.strings.ts";

/** Dialog that registers another user. */
export function AddPersonDialog({
  eventId,
  onClose,
  onDone,
}: {
  readonly eventId: string;
  readonly onClose: () => void;
  readonly onDone: (registration: Registration) => void;
}) {
  const [person, setPerson] = useState<PickedPerson>();
  const [overPlaces, setOverPlaces] = useState(false);
  const [isChecked, setChecked] = useState(false);
  const calls = useRegistrationCalls(eventId);
  const register = useMutation({
    mutationFn: (userId: string) => calls.register(userId, overPlaces),
    onSuccess: (registration) => registration && onDone(registration),
  });
  return (
    <FormDialog
      title={text.addTitle}
      submitLabel={text.submit}
      pending={register.isPending}
      onSubmit={() => {
        setChecked(true);
        if (person) register.mutate(person.id);
      }}
      onClose={onClose}
    >
      {register.error && <FormError error={register.error} />}
      <PeoplePicker
        source={PEOPLE}
        text={text}
        except={person ? [person.id] : []}
        error={isChecked && !person ? text.chooseOne : undefined}
        onChoose={setPerson}
      />
      <p role="status" className="min-h-5 text-sm font-medium wrap-anywhere">
        {person && text.chosen(person.name)}
      </p>
      <CheckboxField
        label={text.overPlaces}
        checked={overPlaces}
        onChange={({ target }) => setOverPlaces(target.checked)}
      />
    </FormDialog>
  );
}
