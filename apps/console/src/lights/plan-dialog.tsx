import type { Light, LightGroup } from "@followspot/contract/lights";
import { useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { Dialog, DialogBody, SaveActions } from "../ui/dialog.tsx";
import { FormError } from "../ui/form-error.tsx";
import { EmptyState } from "../ui/states.tsx";
import { showToast } from "../ui/toast.tsx";
import { useSeveralCalls } from "./lights.queries.ts";
import { FixedFields } from "./fixed-fields.tsx";
import { lightStrings } from "./lights.strings.ts";
import { patchStrings } from "./patch.strings.ts";
import { changedPlaces, depthNow, lineAt, linedUp, linesOf, metresOf, movedBy, placesOf, type Place, type Places } from "./stage-places.ts"; // prettier-ignore

const text = patchStrings.plan;
/** Part of the plan that an arrow key moves a lamp by. */
const STEP = 0.02;
const LARGE_STEP = 0.1;
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The stage from above: lamps are dragged to where they are, by pointer or keys, and saved together. */
export function PlanDialog({
  lights,
  groups,
  onClose,
}: {
  readonly lights: readonly Light[];
  readonly groups: readonly LightGroup[];
  readonly onClose: () => void;
}) {
  const { place: save } = useSeveralCalls();
  const [before] = useState(() => placesOf(lights));
  const [places, setPlaces] = useState<Places>(before);
  const [chosen, setChosen] = useState<number>();
  const lines = useMemo(() => linesOf(lights, groups), [lights, groups]);
  const waiting = useMemo(() => linedUp(lights, groups), [lights, groups]);
  const changes = changedPlaces(before, places);
  const put = (more: Places) => setPlaces((old) => new Map([...old, ...more]));
  const nameOf = (id: string) => groups.find((group) => group.id === id)?.name || id || patchStrings.several.noGroup;
  const submit = () =>
    save.mutate(changes, {
      onSuccess: () => {
        onClose();
        showToast(text.saved(changes.length));
      },
    });
  const unplaced = lights.filter(({ id }) => !places.has(id)).length;
  return (
    <Dialog open wide dirty={changes.length > 0} title={text.title} onClose={onClose}>
      <DialogBody>
        <FormError error={save.error} />
        {lights.length === 0 ? (
          <EmptyState text={text.none} />
        ) : (
          <>
            <p className="text-xs text-muted">{text.hint}</p>
            <Plan
              lights={lights}
              places={places}
              waiting={waiting}
              onPlace={(id, place) => put(new Map([[id, place]]))}
              onChoose={setChosen}
              onTake={(id) => setPlaces((old) => new Map([...old].filter(([each]) => each !== id)))}
            />
            <ChosenLamp light={lights.find(({ id }) => id === chosen)} places={places} onPlace={put} />
            {unplaced > 0 && <p className="text-xs text-muted">{text.unplaced(unplaced)}</p>}
            <div className="flex flex-wrap gap-2">
              <Button onClick={() => setPlaces(waiting)}>{text.line}</Button>
              {lines.size > 1 &&
                [...lines].map(([id, ids]) => (
                  <Button key={id} onClick={() => put(lineAt(ids, depthNow(ids, new Map([...waiting, ...places]))))}>
                    {text.lineOf(nameOf(id))}
                  </Button>
                ))}
              <Button variant="ghost" onClick={() => setPlaces(new Map())}>
                {text.clear}
              </Button>
            </div>
          </>
        )}
      </DialogBody>
      <SaveActions
        label={text.save}
        pending={save.isPending}
        disabled={changes.length === 0}
        onSave={submit}
        onClose={onClose}
      />
    </Dialog>
  );
}

/** How the chosen lamp is fixed; it has to have a place. */
function ChosenLamp({
  light,
  places,
  onPlace,
}: {
  readonly light: Light | undefined;
  readonly places: Places;
  readonly onPlace: (more: Places) => void;
}) {
  const place = light && places.get(light.id);
  if (!place) return <p className="text-xs text-muted">{text.choose}</p>;
  return (
    <FixedFields
      key={light.id}
      name={light.label || lightStrings.noLabel}
      fixed={place.fixed}
      onFixed={(fixed) => onPlace(new Map([[light.id, { ...place, fixed }]]))}
    />
  );
}

function Plan({
  lights,
  places,
  waiting,
  onPlace,
  onChoose,
  onTake,
}: {
  readonly lights: readonly Light[];
  readonly places: Places;
  /** Where lamps without a place are drawn. */
  readonly waiting: Places;
  readonly onPlace: (lightId: number, place: Place) => void;
  readonly onChoose: (lightId: number) => void;
  readonly onTake: (lightId: number) => void;
}) {
  const area = useRef<HTMLDivElement>(null);
  const drag = (event: PointerEvent, id: number) => {
    const box = area.current?.getBoundingClientRect();
    if (!box || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const at = { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
    onPlace(id, movedBy({ ...at, fixed: places.get(id)?.fixed }, 0, 0));
  };
  const press = (key: KeyboardEvent, id: number, at: Place) => {
    const arrow = ARROWS[key.key];
    if (arrow) {
      const step = key.shiftKey ? LARGE_STEP : STEP;
      onPlace(id, movedBy(at, arrow[0] * step, arrow[1] * step));
    } else if (key.key === "Delete" || key.key === "Backspace") onTake(id);
    else return;
    key.preventDefault();
  };
  return (
    <div className="flex flex-col gap-1 rounded-md border bg-bg p-2 text-center text-xs text-muted">
      <span>{text.back}</span>
      <div
        ref={area}
        role="group"
        aria-label={text.area}
        className="relative mx-4 my-3 aspect-[2/1] rounded max-sm:aspect-[4/5] border border-dashed"
      >
        {lights.map((light) => {
          const own = places.get(light.id);
          const at = own ?? waiting.get(light.id) ?? { x: 0.5, y: 0.5 };
          const metres = metresOf(at);
          const name = light.label || lightStrings.noLabel;
          return (
            <button
              key={light.id}
              type="button"
              aria-label={own ? text.lamp(name, metres.x, metres.y) : text.lampFree(name)}
              title={name}
              onFocus={() => onChoose(light.id)}
              onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
              onPointerMove={(event) => drag(event, light.id)}
              onKeyDown={(key) => press(key, light.id, at)}
              style={{ left: `${at.x * 100}%`, top: `${at.y * 100}%` }}
              className="absolute flex -translate-1/2 cursor-grab touch-none flex-col items-center gap-0.5 rounded-md p-1 hover:z-10 hover:bg-raised focus:z-10 focus:bg-raised active:cursor-grabbing"
            >
              <span
                aria-hidden
                className={cx(
                  "block size-3.5 rounded-full border-2",
                  own ? "border-accent bg-accent/60" : "border-dashed border-muted",
                )}
              />
              <span aria-hidden className="max-w-16 truncate max-sm:max-w-9 text-[10px] leading-3 text-fg">
                {name}
              </span>
            </button>
          );
        })}
      </div>
      <span>{text.front}</span>
    </div>
  );
}
