import { X } from "lucide-react";
import { TOUCH } from "../../ui/touch.ts";
import type { DeskAction } from "../actions.ts";
import { deskStrings as text } from "../desk.strings.ts";
import { useMidi } from "./use-midi.ts";

/** Maps keys, pads and faders of a MIDI controller to actions of the desk. */
export function MidiBlock({ actions }: { readonly actions: readonly DeskAction[] }) {
  const midi = useMidi(actions);
  return (
    <section aria-label={text.midi} className="flex flex-col gap-2 rounded-lg border bg-surface p-3">
      <h2 className="text-sm font-semibold text-muted">{text.midi}</h2>
      {midi.state === "missing" && (
        <p className="text-sm text-muted">{window.isSecureContext ? text.midiNone : text.midiInsecure}</p>
      )}
      {midi.state === "denied" && <p className="text-sm text-warn">{text.midiDenied}</p>}
      {(midi.state === "off" || midi.state === "denied") && (
        <button
          type="button"
          onClick={() => void midi.open()}
          className={`${TOUCH} self-start border-border bg-raised text-sm`}
        >
          {text.midiOff}
        </button>
      )}
      {midi.state === "on" && (
        <>
          <p className="text-sm text-muted">
            {midi.devices.length > 0 ? text.midiDevices(midi.devices.join(", ")) : text.midiNoDevice}
          </p>
          <ul className="flex max-h-96 flex-col gap-1 overflow-auto">
            {actions.map(({ id, label }) => {
              const source = midi.map[id];
              const isLearning = midi.learning === id;
              return (
                <li key={id} className="flex items-center gap-2">
                  <span className="min-w-0 flex-1 truncate text-sm">{label}</span>
                  {source && (
                    <span className="shrink-0 font-mono text-xs text-muted">
                      {text.source(source.kind, source.channel, source.number)}
                    </span>
                  )}
                  {source && (
                    <button
                      type="button"
                      aria-label={text.unlearn(label)}
                      onClick={() => midi.forget(id)}
                      className="grid size-11 shrink-0 place-items-center text-muted"
                    >
                      <X aria-hidden size={16} />
                    </button>
                  )}
                  <button
                    type="button"
                    aria-label={text.learnOf(label)}
                    aria-pressed={isLearning}
                    onClick={() => midi.learn(id)}
                    className={`${TOUCH} min-h-11 border-border bg-raised text-sm aria-pressed:border-accent`}
                  >
                    {isLearning ? text.learning : text.learn}
                  </button>
                </li>
              );
            })}
          </ul>
        </>
      )}
    </section>
  );
}
