import { useLayoutEffect, useRef } from "react";

/** Smallest font size before words are broken, as a share of the box's shorter side. */
const LEAST_WITH_WHOLE_WORDS = 0.09;
const LEAST_PX = 10;

/** Text in the largest font size that fits its box, on as many lines as necessary. */
export function FitText({
  text,
  most = 0.5,
}: {
  readonly text: string;
  /** Maximum font size, as a share of the box's height. */ readonly most?: number;
}) {
  const place = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const [box, span] = [place.current, inner.current];
    if (!box || !span) return undefined;
    const fit = () => fitInto(box, span, most);
    fit();
    if (typeof ResizeObserver === "undefined") return undefined;
    const observer = new ResizeObserver(fit);
    observer.observe(box);
    // The text size changes when the typeface has loaded.
    document.fonts.addEventListener("loadingdone", fit);
    return () => {
      observer.disconnect();
      document.fonts.removeEventListener("loadingdone", fit);
    };
  }, [text, most]);
  return (
    <div ref={place} className="fit" dir="auto">
      <span ref={inner}>{text}</span>
    </div>
  );
}

function fitInto(box: HTMLElement, span: HTMLElement, most: number): void {
  const { clientWidth, clientHeight } = box;
  const fits = (px: number) => {
    span.style.fontSize = `${px}px`;
    return span.offsetHeight <= clientHeight && span.scrollWidth <= clientWidth;
  };
  span.style.overflowWrap = "normal";
  const whole = largest(fits, clientHeight * most);
  if (whole >= Math.min(clientWidth, clientHeight) * LEAST_WITH_WHOLE_WORDS) return void fits(whole);
  span.style.overflowWrap = "anywhere";
  fits(largest(fits, clientHeight * most));
}

/** Returns the largest size that fits, accurate to one pixel. */
function largest(fits: (px: number) => boolean, most: number): number {
  let [low, high] = [LEAST_PX, Math.max(LEAST_PX, most)];
  while (high - low > 1) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
