import { useEffect, useState } from "react";
import { useStore } from "../lib/store.ts";
import { Button } from "../ui/button.tsx";
import { SelectField, TextField } from "../ui/fields.tsx";
import { changeMachine, machine, MOST_DELAY_MS } from "./machine.ts";
import { MeasureDelay } from "./measure-delay.tsx";
import type { PaPlayer } from "./pa-player.ts";
import { playerStrings as text } from "./player.strings.ts";

const TONE = { hertz: 440, seconds: 1, level: 0.1 } as const;

/** Settings of this machine: its name, its audio output, and its delay. */
export function MachineBlock({ player }: { readonly player: PaPlayer }) {
  const { name, delayMs } = useStore(machine);
  // Number of applied measurements. A new one remounts the field; otherwise the typed text stays.
  const [measured, setMeasured] = useState(0);
  return (
    <details className="mt-auto rounded-lg border bg-surface">
      <summary className="px-4 py-3 text-sm font-medium">{text.settings}</summary>
      <div className="grid gap-4 px-4 pb-4 sm:grid-cols-3">
        <TextField
          label={text.name}
          hint={text.nameHint}
          defaultValue={name}
          most={60}
          onBlur={({ currentTarget }) => {
            const next = currentTarget.value.trim().slice(0, 60) || text.defaultName;
            if (next === name) return;
            changeMachine({ name: next });
            player.rename(next);
          }}
        />
        <OutputField player={player} />
        <TextField
          key={`delay ${measured}`}
          label={text.delay}
          hint={text.delayHint}
          inputMode="numeric"
          defaultValue={String(delayMs)}
          onChange={({ currentTarget }) => {
            const ms = Number(currentTarget.value);
            if (Number.isFinite(ms))
              changeMachine({ delayMs: Math.min(MOST_DELAY_MS, Math.max(0, ms)), isDelaySet: true });
          }}
        />
        <MeasureDelay
          player={player}
          onUse={(ms) => {
            changeMachine({ delayMs: ms, isDelaySet: true });
            setMeasured((n) => n + 1);
          }}
        />
        <div className="flex items-center gap-3 sm:col-span-3">
          <Button large onClick={() => sound(player).catch((error: unknown) => console.error(error))}>
            {text.tone}
          </Button>
          <p className="text-xs text-muted">{text.toneHint}</p>
        </div>
      </div>
    </details>
  );
}

/** Selects the audio output, if the browser allows it (Chromium, over https or on localhost). */
function OutputField({ player }: { readonly player: PaPlayer }) {
  const { outputId } = useStore(machine);
  const [outputs, setOutputs] = useState<readonly MediaDeviceInfo[]>([]);
  const [error, setError] = useState<string>();
  const context = player.context as AudioContext & { setSinkId?: (id: string) => Promise<void> };
  const canChoose = typeof context.setSinkId === "function" && navigator.mediaDevices !== undefined;
  useEffect(() => {
    if (!canChoose) return undefined;
    const read = () =>
      void navigator.mediaDevices
        .enumerateDevices()
        .then((all) =>
          setOutputs(
            all.filter(({ kind, deviceId }) => kind === "audiooutput" && deviceId !== "" && deviceId !== "default"),
          ),
        )
        .catch(() => setOutputs([])); // the page may not list devices
    read();
    navigator.mediaDevices.addEventListener("devicechange", read);
    return () => navigator.mediaDevices.removeEventListener("devicechange", read);
  }, [canChoose]);
  useEffect(() => {
    if (canChoose && outputId) context.setSinkId!(outputId).catch(() => setError(text.outputFailed));
  }, [canChoose, context, outputId]);
  return (
    <SelectField
      label={text.output}
      hint={canChoose ? undefined : text.outputNone}
      error={error}
      disabled={!canChoose}
      value={outputId}
      onChange={({ currentTarget: { value } }) => {
        setError(undefined);
        context.setSinkId!(value).then(
          () => changeMachine({ outputId: value }),
          () => setError(text.outputFailed),
        );
      }}
    >
      <option value="">{text.outputDefault}</option>
      {outputs.map(({ deviceId, label }, i) => (
        <option key={deviceId} value={deviceId}>
          {label || `${text.output} ${i + 1}`}
        </option>
      ))}
    </SelectField>
  );
}

async function sound(player: PaPlayer): Promise<void> {
  await player.allow();
  const { context } = player;
  const [tone, gain] = [context.createOscillator(), context.createGain()];
  const end = context.currentTime + TONE.seconds;
  tone.frequency.value = TONE.hertz;
  gain.gain.setTargetAtTime(TONE.level, context.currentTime, 0.02);
  gain.gain.setTargetAtTime(0, end - 0.1, 0.02);
  tone.connect(gain).connect(context.destination);
  tone.start();
  tone.stop(end);
}
