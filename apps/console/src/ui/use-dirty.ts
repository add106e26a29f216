import { useFormState, type Control, type FieldValues } from "react-hook-form";

/** Whether something is typed in a form that is not what it began with; for `dirty` of {@link Dialog}. */
export const useDirty = <Values extends FieldValues>({ control }: { readonly control: Control<Values> }): boolean =>
  useFormState({ control }).isDirty;
