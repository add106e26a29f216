import { useEffect, useState } from "react";
import { Mic } from "lucide-react";
import { soundInputs, type InputName } from "../../sound-input/sound-input.ts";
import { Options } from "../../ui/options.tsx";
import { TOUCH } from "../../ui/touch.ts";
import type { DeskView } from "../desk-connection.ts";
import { press } from "../use-desk.ts";
import { BeatLamp } from "./beat-lamp.tsx";
import type { SoundView } from "./sound-connection.ts";
import { soundStrings as text } from "./sound.strings.ts";
import { leadSound, rememberDevice, rememberedDevice, useSound } from "./use-sound.ts";

const SURE = [0.3, 0.6] as const;

/** Button that switches between songs and live sound, with the detected tempo and level. */
export function SoundBlock({ desk }: { readonly desk: DeskView }) {
  const sound = useSound();
  const lead = sound.state?.lead;
  const isOn = lead !== undefined || sound.microphone === "on";
  return (
    <section aria-label={text.title} className="flex flex-col gap-2 rounded-lg border bg-surface p-3">
      <h2 className="text-sm font-semibold text-muted">{text.title}</h2>
      {isOn ? (
        <>
          <Heard sound={sound} />
          <button
            type="button"
            onClick={() => press("sound", null)}
            className={`${TOUCH} border-accent bg-accent/20 text-fg`}
          >
            {text.back}
          </button>
        </>
      ) : (
        <Choice sound={sound} isConnected={desk.connection === "live"} />
      )}
      <Problems sound={sound} />
    </section>
  );
}

function Choice({ sound, isConnected }: { readonly sound: SoundView; readonly isConnected: boolean }) {
  const inputs = useInputs(sound.microphone);
  const [chosen, setChosen] = useState(rememberedDevice);
  const isOpening = sound.microphone === "opening";
  const known = inputs.some(({ id }) => id === chosen) ? chosen : "";
  return (
    <>
      <p className="text-sm text-muted">{text.hint}</p>
      {inputs.length > 1 && (
        <select
          aria-label={text.input}
          value={known}
          onChange={({ target }) => {
            setChosen(target.value);
            rememberDevice(target.value);
          }}
          className="min-h-11 min-w-0 truncate rounded-lg border bg-bg px-2 text-base text-fg"
        >
          <option value="">{text.preferred}</option>
          <Options of={inputs.map(({ id, name }, i) => [id, name || text.unnamed(i + 1)])} />
        </select>
      )}
      <button
        type="button"
        disabled={isOpening || sound.connection !== "live"}
        onClick={() => leadSound(known)}
        className={`${TOUCH} border-border bg-raised disabled:opacity-50`}
      >
        <Mic aria-hidden size={18} />
        {isOpening ? text.opening : text.useMicrophone}
      </button>
      {sound.state?.has_device && (
        <button
          type="button"
          disabled={!isConnected}
          onClick={() => press("sound", "device")}
          className={`${TOUCH} border-border bg-raised disabled:opacity-50`}
        >
          {text.useDevice}
        </button>
      )}
    </>
  );
}

function Heard({ sound }: { readonly sound: SoundView }) {
  const { state } = sound;
  const lead = state?.lead;
  if (!state || !lead) return <p className="text-sm text-muted">{text.opening}</p>;
  const { heard } = state;
  const pulse = heard.isSilent ? undefined : heard.pulse;
  const sure = SURE.filter((from) => (pulse?.confidence ?? 0) >= from).length;
  return (
    <div className="flex flex-col gap-2">
      <p className="truncate text-base">
        {lead.source === "device" ? text.deviceLeads : state.you_lead ? text.youLead : text.leads(lead.owner_name)}
        <span className="block truncate text-xs text-muted">{lead.device}</span>
      </p>
      <div className="flex items-center gap-3">
        <BeatLamp pulse={pulse} toldMs={sound.toldMs} />
        <span className="text-lg tabular-nums">{pulse ? text.tempo(pulse.bpm) : text.noBeat}</span>
        {pulse && <span className="text-xs text-muted">{text.sure[sure]}</span>}
      </div>
      <div
        role="meter"
        aria-label={text.level}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(100 * heard.level)}
        className="h-3 overflow-hidden rounded-full bg-raised"
      >
        <div
          style={{ transform: `scaleX(${heard.level})` }}
          className="h-full origin-left bg-accent transition-transform duration-100 motion-reduce:transition-none"
        />
      </div>
      <p role="status" className="text-sm text-warn empty:hidden">
        {sound.connection === "lost"
          ? text.lost
          : !lead.isHeard
            ? text.noSound
            : heard.isSilent
              ? text.nothingHeard
              : ""}
      </p>
    </div>
  );
}

function Problems({ sound: { problem, refusal, state } }: { readonly sound: SoundView }) {
  const words = problem ? text.problems[problem] : refusal ? text.refused(refusal) : state?.problem;
  return words ? (
    <p role="alert" className="text-sm text-danger wrap-anywhere">
      {words}
    </p>
  ) : null;
}

/** Lists the audio inputs; they may change, and have names once access was allowed. */
function useInputs(microphone: SoundView["microphone"]) {
  const [inputs, setInputs] = useState<readonly InputName[]>([]);
  useEffect(() => {
    let isGone = false;
    const look = () =>
      void soundInputs().then(
        (found) => isGone || setInputs(found),
        () => undefined, // Listing failed; the browser's default input remains.
      );
    look();
    navigator.mediaDevices?.addEventListener("devicechange", look);
    return () => {
      isGone = true;
      navigator.mediaDevices?.removeEventListener("devicechange", look);
    };
  }, [microphone]);
  return inputs;
}
