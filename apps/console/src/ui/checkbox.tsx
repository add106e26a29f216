import { Check, Minus } from "lucide-react";
import type { ComponentProps } from "react";

/** A box in the console's own colours; the native one is grey in the dark. `isMixed` only draws what its owner sets on the box. */
export function Checkbox({
  isMixed = false,
  ...rest
}: Omit<ComponentProps<"input">, "type"> & { readonly isMixed?: boolean }) {
  const Mark = isMixed ? Minus : Check;
  return (
    <span className="relative grid size-4 shrink-0 place-items-center">
      <input
        type="checkbox"
        {...rest}
        className="peer size-4 cursor-pointer appearance-none rounded-sm border border-muted bg-bg checked:border-accent checked:bg-accent disabled:cursor-not-allowed disabled:opacity-50"
      />
      <Mark
        aria-hidden
        size={12}
        strokeWidth={3}
        className={`pointer-events-none absolute ${isMixed ? "text-accent" : "text-accent-fg opacity-0 peer-checked:opacity-100"}`}
      />
    </span>
  );
}
