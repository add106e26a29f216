import encodeQR from "qr";
import { useMemo } from "react";

/** Light around the code, in modules, as readers expect it. */
const QUIET = 4;

/** A QR code that any camera reads: dark on light in both themes. It fills the width of its place. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { path, side } = useMemo(() => qrPath(text), [text]);
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${side} ${side}`} shapeRendering="crispEdges" className="w-full">
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** The dark modules as one path, a run of each row at a time. @throws Error for a text that fits into no code */
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
