import { errorText } from "../lib/errors.ts";

/** The red box above a form whose save was refused. */
export function FormError({ error }: { readonly error: unknown }) {
  if (error === undefined || error === null) return null;
  const text = errorText(error);
  return (
    <p
      role="alert"
      className="rounded-md border border-danger bg-danger/10 px-3 py-2 text-sm wrap-anywhere text-danger"
    >
      {text === "Unknown error" ? "An error occurred" : `Error: ${text}`}
    </p>
  );
}
