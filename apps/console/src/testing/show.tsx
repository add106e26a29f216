import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { TransportProvider } from "@connectrpc/connect-query";
import { createRouterTransport, type ConnectRouter } from "@connectrpc/connect";
import { act, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { onTestFinished, vi } from "vitest";
import { CurrentUser } from "../auth/session.ts";
import { addressed } from "./addressed.tsx";

/** Context in which a screen is rendered. */
interface Surrounded {
  /** Routes of the server; without them every method fails. */
  readonly routes?: (router: ConnectRouter) => void;
  /** Roles of the signed-in user. */
  readonly roles?: readonly string[];
}

/**
 * Renders something in jsdom until the test ends, and waits for its render.
 * @param address address of the page, if the screen needs one
 */
export async function show(
  node: ReactNode,
  { address, ...surroundings }: Surrounded & { readonly address?: string } = {},
): Promise<HTMLElement> {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const place = document.body.appendChild(document.createElement("div"));
  const tree = createRoot(place);
  onTestFinished(() => {
    act(() => tree.unmount());
    place.remove();
    vi.unstubAllGlobals();
  });
  const screen = address === undefined ? node : addressed(node, address).page;
  await act(async () => tree.render(<Surroundings {...surroundings}>{screen}</Surroundings>));
  return place;
}

/** Provides a cache, a server made of `routes`, and a signed-in user with these roles. */
export function Surroundings({
  routes = () => undefined,
  roles = ["Admin"],
  children,
}: Surrounded & { readonly children: ReactNode }) {
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return (
    <TransportProvider transport={createRouterTransport(routes)}>
      <QueryClientProvider client={cache}>
        <CurrentUser value={{ id: "u1", name: "Ada", email: "", phone: "", roles }}>{children}</CurrentUser>
      </QueryClientProvider>
    </TransportProvider>
  );
}

/** Finds the button with this visible text or label on the whole page. */
export function button(name: string): HTMLButtonElement {
  const found = [...document.querySelectorAll("button")].find(
    (each) => each.textContent?.trim() === name || each.getAttribute("aria-label") === name,
  );
  if (!found) throw new Error(`there is no button "${name}": ${document.body.textContent}`);
  return found;
}

export const press = (name: string) => act(async () => button(name).click());

/** Finds the field with this label, ignoring text after the label. */
export function field(label: string): HTMLInputElement {
  const fields = [...document.querySelectorAll<HTMLInputElement>("input, select, textarea")];
  const found = fields.find(
    ({ ariaLabel, labels }) =>
      ariaLabel === label || [...(labels ?? [])].some((each) => each.textContent?.startsWith(label)),
  );
  if (!found) throw new Error(`there is no field "${label}": ${document.body.textContent}`);
  return found;
}

/** Waits until an assertion about the page holds. During the wait the page changes only on its own, outside of `act`. */
export async function eventually(claim: () => void): Promise<void> {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", false);
  try {
    await vi.waitFor(claim, { timeout: 5000 });
  } finally {
    vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  }
}

/** Types into a field such that React handles the input. */
export function type(into: HTMLInputElement, value: string): Promise<void> {
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(into) as object, "value")?.set;
  return act(async () => {
    setter?.call(into, value);
    into.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

/** Selects an option of a select by its value. */
export function choose(label: string, value: string): Promise<void> {
  const select = field(label);
  const setter = Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "value")?.set;
  return act(async () => {
    setter?.call(select, value);
    select.dispatchEvent(new Event("change", { bubbles: true }));
  });
}
