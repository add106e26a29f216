import { Check, Minus } from "lucide-react";
import type { ComponentProps } from "react";

/**
 * A check box in the console's own colors; the native one is gray in the dark theme. `isMixed` only draws the mixed
 * state; its owner sets the property on the element.
 */
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
