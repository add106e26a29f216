type Child = Node | string | false | undefined | null;

/**
 * Creates an element without a framework, whose bytes alone would exceed what this page may weigh. Text becomes text nodes, so that no title is read as HTML.
 *
 * @param attributes booleans set or omit the attribute; empty strings are omitted, except for `value` and `alt`
 */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | boolean | undefined>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, "");
    else if (typeof value === "string" && (value !== "" || key === "alt")) made.setAttribute(key, value);
  }
  made.append(...children.filter((child): child is Node | string => Boolean(child)));
  return made;
}

export interface FieldLook {
  readonly label: string;
  readonly name: string;
  readonly hint?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Input with its label above and its error below. */
export function labeledField({ label, name, hint = "", attributes = {} }: FieldLook) {
  const input = element("input", { id: name, name, class: "event-field", ...attributes });
  const problem = element("p", { id: `${name}-problem`, role: "alert", class: "text-sm text-danger" });
  const help = hint && element("p", { id: `${name}-hint`, class: "text-xs text-muted" }, hint);
  if (hint) input.setAttribute("aria-describedby", `${name}-hint`);
  const all = element(
    "div",
    { class: "flex flex-col gap-1" },
    element("label", { for: name, class: "text-sm font-medium" }, label),
    input,
    help,
    problem,
  );
  const report = (text: string) => {
    problem.textContent = text;
    if (text) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    input.setAttribute("aria-describedby", text ? `${name}-problem` : hint ? `${name}-hint` : "");
  };
  input.addEventListener("input", () => report(""));
  return {
    all,
    value: () => input.value.trim(),
    focus: () => input.focus(),
    /** Shows an error below the input until it is edited; an empty text removes it. */
    report,
  };
}
