import { createElement, use, type FunctionComponent } from "react";

/** A component whose file is read when it is first shown, or ahead of that by `preload`. */
export type LazyPart<Props extends object> = FunctionComponent<Props> & { readonly preload: () => Promise<void> };

/** A file of the console did not come. `forget` lets the next showing ask for it again. */
export class PartMissing extends Error {
  readonly forget: () => void;

  constructor(cause: unknown, forget: () => void) {
    super("[unavailable] its file did not come", { cause });
    this.name = "PartMissing";
    this.forget = forget;
  }
}

/**
 * Reads `name` from a file of its own. A file that does not come is an error of the place where it is shown, never of
 * the whole page: it throws {@link PartMissing} to the next boundary.
 *
 * @param recover asked before the error is shown; it may start the page anew and never answer
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
    // Asked again when it has come: React expects it of who has waited.
    if (showing) use(showing);
    return part ? createElement(part, props) : null;
  };
  const preload = () => {
    forget();
    // What does not come ahead of time is asked for again when it is shown.
    return read().catch(() => undefined);
  };
  return Object.assign(Part, { preload });
}
