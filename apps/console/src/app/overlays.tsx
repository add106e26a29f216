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

/** The palette and the map of keys over every screen, and the keys that open them. */
export function Overlays() {
  const shown = useStore(overlay);
  useOverlayKeys();
  // Soon, screen or not: it opens by a key, and what is typed before it is here is lost.
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
