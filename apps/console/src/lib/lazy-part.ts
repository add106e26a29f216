import { createElement, use, type FunctionComponent } from "react";

/** A component whose file is loaded when it is first shown, or earlier by `preload`. */
export type LazyPart<Props extends object> = FunctionComponent<Props> & { readonly preload: () => Promise<void> };

/** A file of the console could not be loaded. `forget` makes the next render request it again. */
export class PartMissing extends Error {
  readonly forget: () => void;

  constructor(cause: unknown, forget: () => void) {
    super("[unavailable] its file did not come", { cause });
    this.name = "PartMissing";
    this.forget = forget;
  }
}

/**
 * Loads the component `name` from a separate file. If the file cannot be loaded, only the place where the component is
 * shown fails, not the whole page: it throws {@link PartMissing} to the next boundary.
 *
 * @param recover runs before the error is shown; it may reload the page and never resolve
 */
export function lazyPart<Name extends string, Props extends object>(
  load: () => Promise<Readonly<Record<Name, FunctionComponent<Props>>>>,
  name: Name,
  recover: () => Promise<void> = async () => undefined,
): LazyPart<Props> {
  let part: FunctionComponent<Props> | undefined;
  let missing: PartMissing | undefined;
  let reading: Promise<void> | undefined;
  let showing: Promise<void> | undefined;

  const forget = () => {
    missing = undefined;
    showing = undefined;
  };
  const read = () =>
    (reading ??= load().then(
      (file) => void (part = file[name]),
      (cause: unknown) => {
        reading = undefined;
        throw cause;
      },
    ));
  const show = async () => {
    try {
      await read();
    } catch (cause) {
      await recover();
      missing = new PartMissing(cause, forget);
    }
  };

  const Part = (props: Props) => {
    if (missing) throw missing;
    if (!part) showing ??= show();
    // React requires a component that suspended to call `use` again.
    if (showing) use(showing);
    return part ? createElement(part, props) : null;
  };
  const preload = () => {
    forget();
    // A failed preload is requested again when the component is shown.
    return read().catch(() => undefined);
  };
  return Object.assign(Part, { preload });
}
