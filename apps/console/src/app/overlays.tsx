import { Suspense, useEffect } from "react";
import { lazyPart } from "../lib/lazy-part.ts";
import { RpcProvider } from "../lib/rpc-provider.tsx";
import { useStore } from "../lib/store.ts";
import { strings } from "../lib/strings.ts";
import { useOfKey } from "../lib/key-table.ts";
import { isElsewhere } from "../lib/key-target.ts";
import { showToast } from "../ui/toast.tsx";
import { EVERYWHERE_KEYS } from "./everywhere.keys.ts";
import { overlay, type Overlay } from "./overlay.ts";
import { PartBoundary } from "./part-boundary.tsx";
import { preloadWhenIdle } from "./preload-when-idle.ts";

const CommandPalette = lazyPart(() => import("./command-palette.tsx"), "CommandPalette");
const KeyMapDialog = lazyPart(() => import("./key-map-dialog.tsx"), "KeyMapDialog");

const close = () => overlay.set(undefined);

const MISSING: Record<Overlay, string> = { palette: strings.palette.missing, keys: strings.keysMissing };

/** Command palette and map of keys above every screen, and the shortcuts that open them. */
export function Overlays() {
  const shown = useStore(overlay);
  useOverlayKeys();
  // Preload it soon: text that is typed after the shortcut and before it opens is lost.
  useEffect(() => preloadWhenIdle([CommandPalette]), []);
  if (shown === undefined) return null;
  return (
    <PartBoundary resetKey={shown} fallback={() => <Missing text={MISSING[shown]} />}>
      <Suspense>
        {shown === "palette" ? (
          <RpcProvider>
            <CommandPalette onClose={close} />
          </RpcProvider>
        ) : (
          <KeyMapDialog onClose={close} />
        )}
      </Suspense>
    </PartBoundary>
  );
}

/** Reports once that the overlay's file could not be loaded; the next press retries. */
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
      const use = useOfKey(EVERYWHERE_KEYS, event);
      if (use === "palette") overlay.set("palette");
      else if (use === "keys" && !isElsewhere(event)) overlay.set("keys");
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
}
