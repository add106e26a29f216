import encodeQR from "qr";
import { useMemo } from "react";

/** Width of the quiet zone around the code, modules; the minimum for readers. */
const QUIET = 4;

/** A QR code, dark on light in both themes, so that any camera reads it. Fills the width of its container. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { path, side } = useMemo(() => qrPath(text), [text]);
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${side} ${side}`} shapeRendering="crispEdges" className="w-full">
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** Returns the dark modules as one path, drawn in runs per row. @throws Error if the text is too long for a QR code */
export function qrPath(text: string): { readonly path: string; readonly side: number } {
  const rows = encodeQR(text, "raw", { ecc: "medium", border: QUIET });
  const runs = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => {
      if (!isDark || row[x - 1]) return [];
      const end = row.indexOf(false, x);
      return [`M${x} ${y}h${(end < 0 ? row.length : end) - x}v1H${x}z`];
    }),
  );
  return { path: runs.join(""), side: rows.length };
}
