import { useState, type ReactNode } from "react";

/** A small picture; `fallback` stands in while there is none. */
export function Thumbnail({
  src,
  round = false,
  fallback,
}: {
  readonly src: string;
  readonly round?: boolean;
  readonly fallback: ReactNode;
}) {
  const [broken, setBroken] = useState<string>();
  return (
    <span
      aria-hidden
      className={`grid size-9 shrink-0 place-items-center overflow-hidden border bg-raised text-xs text-muted ${round ? "rounded-full" : "rounded-md"}`}
    >
      {src && src !== broken ? (
        <img
          src={src}
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
