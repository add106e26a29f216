import { useLayoutEffect, useState, type RefObject } from "react";

interface Size {
  readonly width: number;
  readonly height: number;
}

const UNKNOWN: Size = { width: 0, height: 0 };

/** Tracks the inner size of an element, px; 0 × 0 before layout. */
export function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState(UNKNOWN);
  // Before paint: columns chosen for another width would jump.
  useLayoutEffect(() => {
    const shown = element.current;
    if (!shown) return undefined;
    const measure = () =>
      setSize((old) =>
        old.width === shown.clientWidth && old.height === shown.clientHeight
          ? old
          : { width: shown.clientWidth, height: shown.clientHeight },
      );
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(shown);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
