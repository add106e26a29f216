import { useLayoutEffect, useRef } from "react";

/** Below this a word is broken rather than made smaller still: a share of the place's shorter side. */
const LEAST_WITH_WHOLE_WORDS = 0.09;
const LEAST_PX = 10;

/** A text as large as its place allows, in as many lines as it takes. */
export function FitText({
  text,
  most = 0.5,
}: {
  readonly text: string;
  /** Of the place's height. */ readonly most?: number;
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
    // Its letters are others once the typeface is here.
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

/** The largest size that fits, to a pixel. */
function largest(fits: (px: number) => boolean, most: number): number {
  let [low, high] = [LEAST_PX, Math.max(LEAST_PX, most)];
  while (high - low > 1) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
