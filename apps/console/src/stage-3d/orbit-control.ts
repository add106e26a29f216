/** What hands do to a view: radians to turn and lift, and how many times as far away. */
export interface OrbitMove {
  readonly turn?: number;
  readonly lift?: number;
  readonly zoom?: number;
}

/** Radians for each pixel of a drag. */
const DRAG = 0.006;
/** How much one notch of a wheel moves, about 100 pixels. */
const WHEEL = 0.0012;

/**
 * Drag, wheel and two fingers on an element. Up and down on a touch screen stays the page's own scrolling.
 * @returns lets go of the element
 */
export function controlOrbit(element: HTMLElement, onMove: (move: OrbitMove) => void): () => void {
  const scope = new AbortController();
  const { signal } = scope;
  const pointers = new Map<number, PointerEvent>();
  const apart = (): number => {
    const [a, b] = [...pointers.values()];
    return a && b ? Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) : 0;
  };

  element.addEventListener(
    "pointerdown",
    (event) => {
      if (event.button !== 0) return;
      pointers.set(event.pointerId, event);
      element.setPointerCapture(event.pointerId);
    },
    { signal },
  );
  element.addEventListener(
    "pointermove",
    (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const wasApart = apart();
      pointers.set(event.pointerId, event);
      if (pointers.size === 1) {
        onMove({
          turn: -(event.clientX - before.clientX) * DRAG,
          lift: (event.clientY - before.clientY) * DRAG,
        });
      } else if (wasApart > 0 && apart() > 0) onMove({ zoom: wasApart / apart() });
    },
    { signal },
  );
  for (const end of ["pointerup", "pointercancel"] as const) {
    element.addEventListener(end, (event) => pointers.delete(event.pointerId), { signal });
  }
  element.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      onMove({ zoom: Math.exp(Math.max(-300, Math.min(300, event.deltaY)) * WHEEL) });
    },
    { signal, passive: false },
  );
  return () => scope.abort();
}
