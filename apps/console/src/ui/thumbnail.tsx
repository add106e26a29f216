import { useState, type ReactNode } from "react";
import { serverPath } from "../lib/base-path.ts";

const SIZES = { small: "size-9", large: "size-14 sm:size-16" } as const;
export type ThumbnailSize = keyof typeof SIZES;

/** A small picture; `fallback` is shown if there is none. */
export function Thumbnail({
  src,
  round = false,
  size = "small",
  fallback,
}: {
  readonly src: string;
  readonly round?: boolean;
  readonly size?: ThumbnailSize;
  readonly fallback: ReactNode;
}) {
  const [broken, setBroken] = useState<string>();
  return (
    <span
      aria-hidden
      className={`grid ${SIZES[size]} shrink-0 place-items-center overflow-hidden border bg-raised text-xs text-muted ${round ? "rounded-full" : "rounded-md"}`}
    >
      {src && src !== broken ? (
        <img
          src={serverPath(src)}
          alt=""
          width={36}
          height={36}
          loading="lazy"
          className="size-full object-cover"
          onError={() => setBroken(src)}
        />
      ) : (
        fallback
      )}
    </span>
  );
}
