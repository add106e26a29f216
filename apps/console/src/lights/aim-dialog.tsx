import { aimKey, aimText, type AimPoint, type HeadAim } from "@followspot/contract";
import { LightsService, type Light } from "@followspot/contract/lights";
import { turned, UNAIMED } from "@followspot/lighting";
import { useEffect, useState } from "react";
import { useCan } from "../auth/can.ts";
import { press } from "../desk/use-desk.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions, DialogBody } from "../ui/dialog.tsx";
import { CheckboxField } from "../ui/fields.tsx";
import { FormError } from "../ui/form-error.tsx";
import { AimPad } from "./aim-pad.tsx";
import { aimOf, firstGuard, PLACES, without, type PlaceName } from "./aim-rules.ts";
import { aimStrings as text } from "./aim.strings.ts";
import { useObstacle } from "./identify-button.tsx";
import { useSaveAim } from "./lights.queries.ts";
import { lightStrings } from "./lights.strings.ts";

/** Lights one moving head and aims it with a pad while the dialog is open. Each change is saved immediately. */
export function AimDialog({ light, onClose }: { readonly light: Light; readonly onClose: () => void }) {
  const can = useCan();
  const save = useSaveAim(light);
  const [aim, setAim] = useState(() => aimOf(light));
  const [point, setPoint] = useState(aim.home);
  const obstacle = useObstacle();
  const control = aimKey(light.id);
  useEffect(() => press(control, aimText(point)), [control, point]);
  useEffect(() => () => press(control, null), [control]);

  const store = (next: HeadAim | undefined) => {
    setAim(next ?? UNAIMED);
    // A rejected change is reverted to the stored aim.
    save.mutate(next, { onError: () => setAim(aimOf(save.stored())) });
  };
  const canStore = can(LightsService.method.updateLight);
  return (
    <Dialog open title={text.title(light.label || lightStrings.noLabel)} onClose={onClose}>
      <DialogBody>
        <p className="text-xs text-muted">{text.hint}</p>
        {obstacle && (
          <p role="status" className="rounded-md border bg-raised px-3 py-2">
            {obstacle}
          </p>
        )}
        <AimPad aim={aim} point={point} onPoint={setPoint} />
        <p className="text-center text-sm tabular-nums">{text.point(point.pan, point.tilt)}</p>
        <FormError error={save.error} />
        {canStore ? (
          <>
            <Places aim={aim} point={point} onGo={setPoint} onAim={store} />
            <Turns aim={aim} onAim={store} />
            <Range aim={aim} onDraft={setAim} onAim={store} />
            <Guard aim={aim} onDraft={setAim} onAim={store} />
          </>
        ) : (
          <p className="text-xs text-muted">{text.onlyAdmins}</p>
        )}
      </DialogBody>
      <DialogActions>
        {canStore && (
          <Button large variant="ghost" className="mr-auto" onClick={() => store(undefined)}>
            {text.reset}
          </Button>
        )}
        <Button large variant="primary" onClick={onClose}>
          {text.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface PartProps {
  readonly aim: HeadAim;
  /** Saves the changed aim. */
  readonly onAim: (aim: HeadAim) => void;
}

function Places({
  aim,
  point,
  onGo,
  onAim,
}: PartProps & { readonly point: AimPoint; readonly onGo: (point: AimPoint) => void }) {
  const row = (place: PlaceName) => {
    const name = text.places[place];
    const at = aim[place];
    return (
      <li key={place} className="flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1">
        <span className="w-12 font-medium">{name}</span>
        <span
          title={at && text.point(at.pan, at.tilt)}
          className="min-w-0 flex-1 truncate text-xs text-muted tabular-nums"
        >
          {at ? text.shortPoint(at.pan, at.tilt) : text.notSet}
        </span>
        <span className="flex gap-1">
          <Button large aria-label={text.store(name)} onClick={() => onAim({ ...aim, [place]: point })}>
            {text.storeShort}
          </Button>
          <Button large aria-label={text.go(name)} disabled={!at} onClick={() => at && onGo(at)}>
            {text.goShort}
          </Button>
          {place !== "home" && (
            <Button
              large
              variant="ghost"
              aria-label={text.forget(name)}
              disabled={!at}
              onClick={() => onAim(without(aim, place))}
            >
              {text.forgetShort}
            </Button>
          )}
        </span>
      </li>
    );
  };
  return (
    <section aria-label={text.placesHead}>
      <h3 className="text-xs font-medium">{text.placesHead}</h3>
      <p className="text-xs text-muted">{text.placesHint}</p>
      <ul>{PLACES.map(row)}</ul>
    </section>
  );
}

function Turns({ aim, onAim }: PartProps) {
  const box = (turn: "invertPan" | "invertTilt" | "swap", disabled = false) => (
    <CheckboxField
      label={text[turn]}
      checked={aim[turn]}
      disabled={disabled}
      onChange={({ target }) => onAim(turned(aim, { [turn]: target.checked }))}
    />
  );
  return (
    <fieldset>
      <legend className="text-xs font-medium">{text.turnsHead}</legend>
      <div className="grid gap-x-4 sm:grid-cols-3">
        {box("invertPan")}
        {box("invertTilt")}
        {box("swap", aim.guard !== undefined)}
      </div>
      {aim.guard && <p className="text-xs text-muted">{text.swapGuarded}</p>}
    </fieldset>
  );
}

/** Props of sections with sliders: a drag only updates the draft; releasing the slider saves it. */
interface DraftProps extends PartProps {
  readonly onDraft: (aim: HeadAim) => void;
}

function Range({ aim, onDraft, onAim }: DraftProps) {
  const slider = (axis: "pan" | "tilt", label: string) => (
    <Slider
      label={label}
      value={aim.range[axis]}
      most={0.5}
      shown={text.range(aim.range[axis])}
      onValue={(share) => onDraft({ ...aim, range: { ...aim.range, [axis]: share } })}
      onEnd={() => onAim(aim)}
    />
  );
  return (
    <fieldset>
      <legend className="text-xs font-medium">{text.rangeHead}</legend>
      {slider("pan", text.rangePan)}
      {slider("tilt", text.rangeTilt)}
    </fieldset>
  );
}

function Guard({ aim, onDraft, onAim }: DraftProps) {
  const { guard, ...unguarded } = aim;
  const slider = (end: "from" | "to", label: string) =>
    guard && (
      <Slider
        label={label}
        value={guard[end]}
        most={1}
        shown={text.tilt(guard[end])}
        onValue={(share) => onDraft({ ...aim, guard: { ...guard, [end]: share } })}
        onEnd={() => onAim(aim)}
      />
    );
  return (
    <fieldset>
      <legend className="text-xs font-medium">{text.guardHead}</legend>
      <CheckboxField
        label={text.guard}
        checked={guard !== undefined}
        onChange={({ target }) => onAim(target.checked ? { ...aim, guard: firstGuard(aim) } : unguarded)}
      />
      {slider("from", text.guardFrom)}
      {slider("to", text.guardTo)}
      {guard && <p className="text-xs text-muted">{text.guardHint}</p>}
    </fieldset>
  );
}

function Slider({
  label,
  value,
  most,
  shown,
  onValue,
  onEnd,
}: {
  readonly label: string;
  readonly value: number;
  readonly most: number;
  readonly shown: string;
  readonly onValue: (value: number) => void;
  readonly onEnd: () => void;
}) {
  return (
    <label className="flex min-h-11 items-center gap-2 text-sm">
      <span className="w-20 shrink-0">{label}</span>
      <input
        type="range"
        min={0}
        max={most}
        step={0.01}
        value={value}
        aria-valuetext={shown}
        onChange={({ target }) => onValue(Number(target.value))}
        onPointerUp={onEnd}
        onKeyUp={({ key }) => SLIDER_KEYS.has(key) && onEnd()}
        className="h-11 min-w-0 flex-1 accent-accent"
      />
      <span className="w-16 shrink-0 text-right text-xs text-muted tabular-nums">{shown}</span>
    </label>
  );
}

const SLIDER_KEYS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"]);
