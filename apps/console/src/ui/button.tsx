import { LoaderCircle } from "lucide-react";
import type { ComponentProps } from "react";
import { cx } from "./class-names.ts";

export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger" | "solid-danger";

export interface ButtonLook {
  readonly variant?: ButtonVariant;
  /** Height of 32 px, as in dialogs, instead of 28. */
  readonly large?: boolean;
}

/** Returns the classes of a button, for links and triggers that look like one. */
export function buttonClass({ variant = "secondary", large = false }: ButtonLook = {}): string {
  return cx(
    "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border px-2.5 text-sm font-medium whitespace-nowrap transition-colors",
    "disabled:cursor-not-allowed disabled:opacity-50",
    large ? "h-8" : "h-7",
    VARIANTS[variant],
  );
}

export function Button({
  variant,
  large,
  pending = false,
  className,
  children,
  disabled,
  ...rest
}: ComponentProps<"button"> & ButtonLook & { readonly pending?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || pending}
      className={cx(buttonClass({ ...(variant && { variant }), ...(large && { large }) }), className)}
    >
      {pending && <LoaderCircle aria-hidden size={14} className="animate-spin" />}
      {children}
    </button>
  );
}

const VARIANTS: Record<ButtonVariant, string> = {
  primary: "border-transparent bg-accent text-accent-fg not-disabled:hover:brightness-110",
  secondary: "border-border bg-raised text-fg not-disabled:hover:border-muted",
  ghost: "border-transparent text-muted not-disabled:hover:bg-raised not-disabled:hover:text-fg",
  danger: "border-border bg-raised text-danger not-disabled:hover:border-danger",
  "solid-danger": "border-transparent bg-danger text-accent-fg not-disabled:hover:brightness-110",
};
