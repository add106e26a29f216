import { errorText, plainErrorText } from "../lib/errors.ts";

/** Red error box above a form whose save was refused. */
export function FormError({ error }: { readonly error: unknown }) {
  if (error === undefined || error === null) return null;
  const text = errorText(error);
  const saysWhy = plainErrorText(error).trim() !== "" && text !== "Unknown error";
  return (
    <p
      role="alert"
      className="rounded-md border border-danger bg-danger/10 px-3 py-2 text-sm wrap-anywhere text-danger"
    >
      {saysWhy ? `Error: ${text}` : "An error occurred"}
    </p>
  );
}
