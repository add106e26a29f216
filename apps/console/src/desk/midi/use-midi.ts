import { useEffect, useRef, useState } from "react";
import { askForMidi, hasMidi } from "../../lib/midi-access.ts";
import type { DeskAction } from "../actions.ts";
import { deskHandle, onDeskChange } from "../use-desk.ts";
import { MidiDesk, type MidiPorts } from "./midi-desk.ts";
import { learnt, storedMap, storeMap, unlearnt, type MidiMap } from "./midi-map.ts";

export type MidiState = "off" | "on" | "missing" | "denied";

/** Connects the MIDI controllers of this browser: requests access once, and listens while the desk is open. */
export function useMidi(actions: readonly DeskAction[]) {
  const [state, setState] = useState<MidiState>(() => (hasMidi() ? "off" : "missing"));
  const [devices, setDevices] = useState<readonly string[]>([]);
  const [map, setMap] = useState<MidiMap>(() => storedMap());
  const [learning, setLearning] = useState<string>();
  const [midi, setMidi] = useState<MidiDesk>();
  const plugged = useRef<AbortController>(undefined);

  useEffect(() => midi?.use(map, actions), [midi, map, actions]);
  useEffect(() => (midi ? onDeskChange(() => midi.light()) : undefined), [midi]);
  useEffect(() => {
    if (!midi) return undefined;
    midi.learnWith(
      learning === undefined
        ? undefined
        : ({ source }) => {
            setMap((known) => learnt(known, learning, source));
            setLearning(undefined);
          },
    );
    return () => midi.learnWith(undefined);
  }, [midi, learning]);
  useEffect(() => storeMap(map), [map]);
  useEffect(
    () => () => {
      midi?.close();
      plugged.current?.abort();
    },
    [midi],
  );

  const open = async () => {
    try {
      const access = await askForMidi();
      // The types of typed arrays differ in their buffers; nothing is written here.
      const desk = new MidiDesk(access as unknown as MidiPorts, deskHandle);
      setDevices(desk.listen());
      plugged.current?.abort();
      plugged.current = new AbortController();
      const onChange = () => {
        setDevices(desk.listen());
        desk.lightAnew();
      };
      access.addEventListener("statechange", onChange, { signal: plugged.current.signal });
      setMidi(desk);
      setState("on");
    } catch {
      setState("denied"); // The user denied access, or the system has no MIDI.
    }
  };
  // A user with a stored mapping has allowed access before, so connect automatically.
  const hasMap = useRef(Object.keys(map).length > 0);
  useEffect(() => {
    if (hasMap.current && state === "off") void open();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when the desk opens
  }, []);

  return {
    state,
    devices,
    map,
    learning,
    open,
    learn: (action: string) => setLearning((now) => (now === action ? undefined : action)),
    forget: (action: string) => setMap((known) => unlearnt(known, action)),
  };
}
