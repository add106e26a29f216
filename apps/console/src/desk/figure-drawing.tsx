import type { Figure } from "@followspot/lighting";
import { figurePicture, PICTURE } from "./figure-picture.ts";

/** Draws a movement effect as beams on a wall: the paths, and the position of each head at one moment. */
export function FigureDrawing({ figure }: { readonly figure: Figure }) {
  return (
    <svg aria-hidden viewBox={`0 0 ${PICTURE.width} ${PICTURE.height}`} className="h-9 w-full max-w-20">
      {figurePicture(figure).map(({ path, x, y }) => (
        <g key={path + x}>
          <path d={path} fill="none" stroke="currentColor" strokeWidth={1.5} strokeLinecap="round" opacity={0.5} />
          <circle cx={x} cy={y} r={2.8} fill="currentColor" />
        </g>
      ))}
    </svg>
  );
}
