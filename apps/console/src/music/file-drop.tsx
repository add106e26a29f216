import { useEffect, useState } from "react";
import { musicStrings } from "./music.strings.ts";

/** Accepts files dropped anywhere on the page. */
export function FileDrop({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    let depth = 0;
    const carriesFiles = (drag: DragEvent) => drag.dataTransfer?.types.includes("Files") ?? false;
    const enter = (drag: DragEvent) => {
      if (!carriesFiles(drag)) return;
      depth += 1;
      setOver(true);
    };
    const leave = (drag: DragEvent) => {
      if (!carriesFiles(drag)) return;
      depth = Math.max(0, depth - 1);
      if (depth === 0) setOver(false);
    };
    const allow = (drag: DragEvent) => carriesFiles(drag) && drag.preventDefault();
    const drop = (drag: DragEvent) => {
      if (!carriesFiles(drag)) return;
      drag.preventDefault();
      depth = 0;
      setOver(false);
      const files = [...(drag.dataTransfer?.files ?? [])];
      if (files.length > 0) onFiles(files);
    };
    const listeners = { dragenter: enter, dragleave: leave, dragover: allow, drop } as const;
    for (const [type, listener] of Object.entries(listeners)) window.addEventListener(type as "drop", listener);
    return () => {
      for (const [type, listener] of Object.entries(listeners)) window.removeEventListener(type as "drop", listener);
    };
  }, [onFiles]);
  if (!over) return null;
  return (
    <div className="pointer-events-none fixed inset-2 z-50 grid place-items-center rounded-lg border-2 border-dashed border-accent bg-bg/80">
      <p className="text-lg font-semibold">{musicStrings.uploads.drop}</p>
    </div>
  );
}
