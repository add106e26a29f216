import { Suspense, useEffect } from "react";
import { lazyPart } from "../lib/lazy-part.ts";
import { createStore, useStore } from "../lib/store.ts";
import { strings } from "../lib/strings.ts";
import { showToast } from "../ui/toast.tsx";
import { PartBoundary } from "./part-boundary.tsx";
import { preloadWhenIdle } from "./preload-when-idle.ts";

const RpcProvider = lazyPart(() => import("../lib/rpc-provider.tsx"), "RpcProvider");
const CommandPalette = lazyPart(() => import("./command-palette.tsx"), "CommandPalette");

type Overlay = "palette";

/** What stands over the screen, whichever it is. */
export const overlay = createStore<Overlay | undefined>(undefined);

const close = () => overlay.set(undefined);

/** The palette over every screen, and the keys that open it. */
export function Overlays() {
  const shown = useStore(overlay);
  useOverlayKeys();
  // Soon, screen or not: it opens by a key, and what is typed before it is here is lost.
  useEffect(() => preloadWhenIdle([CommandPalette]), []);
  if (shown === undefined) return null;
  return (
    <PartBoundary resetKey={shown} fallback={() => <Missing text={strings.palette.missing} />}>
      <Suspense>
        <RpcProvider>
          <CommandPalette onClose={close} />
        </RpcProvider>
      </Suspense>
    </PartBoundary>
  );
}

/** Its file did not come: said once; the next press tries again. */
function Missing({ text }: { readonly text: string }) {
  useEffect(() => {
    showToast(text, { bad: true });
    close();
  }, [text]);
  return null;
}

function useOverlayKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      overlay.set("palette");
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
}
