import { calibrationOf } from "@followspot/contract";
import { CALIBRATION_SECONDS } from "@followspot/lighting";
import { Play, Square } from "lucide-react";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Button } from "../ui/button.tsx";
import { Status, type Tone } from "../ui/status.tsx";
import { SongPlayer } from "../visualizer/player/song-player.ts";
import { stageText, type StageState } from "../visualizer/player/stage-link.ts";
import { visualizerStrings } from "../visualizer/visualizer.strings.ts";
import { calibrationStrings as text } from "./calibration.strings.ts";
import { clickTrack } from "./click-sound.ts";

const TONES: Readonly<Record<StageState["kind"], Tone>> = {
  offline: "off",
  ready: "off",
  following: "ok",
  busy: "wait",
  refused: "bad",
};

/** Starts and stops the flashes and clicks. @param onPlayer called with the player while it runs, with undefined when it stops */
export function Flashing({
  outputId,
  onPlayer,
}: {
  readonly outputId: string | undefined;
  readonly onPlayer: (player: SongPlayer | undefined) => void;
}) {
  const [isOn, setOn] = useState(false);
  return (
    <section className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-3">
        <Button large variant={isOn ? "secondary" : "primary"} onClick={() => setOn(!isOn)}>
          {isOn ? <Square aria-hidden size={14} /> : <Play aria-hidden size={14} />} {isOn ? text.stop : text.start}
        </Button>
        {isOn && <Running outputId={outputId} onPlayer={onPlayer} />}
      </div>
      <p className="text-xs text-muted">{text.givesBack}</p>
    </section>
  );
}

/** Plays the calibration while mounted. Unmounting releases the stage, which then resumes its previous state. */
function Running({ outputId, onPlayer }: Parameters<typeof Flashing>[0]) {
  const root = useRef<HTMLDivElement>(null);
  const [sound] = useState(() => URL.createObjectURL(clickTrack()));
  const [player] = useState(() => new SongPlayer(calibrationOf(outputId), { audio: sound, keepsShow: true }));
  const state = useSyncExternalStore(player.onState, player.state);

  useEffect(() => {
    if (!root.current) return undefined;
    player.setDuration(CALIBRATION_SECONDS);
    player.attach(root.current);
    player.setLoop({ from: 0, to: CALIBRATION_SECONDS });
    player.play();
    onPlayer(player);
    return () => {
      onPlayer(undefined);
      player.detach();
    };
  }, [player, onPlayer]);
  useEffect(() => () => URL.revokeObjectURL(sound), [sound]);

  const { stage, isSilent } = state;
  return (
    <div ref={root} className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1 text-xs">
      <Status tone={stage.kind === "following" && (stage.blackout || stage.outputs === 0) ? "wait" : TONES[stage.kind]}>
        {stageText(stage)}
      </Status>
      {stage.kind === "busy" && (
        <>
          <Button onClick={() => player.takeOver()}>{visualizerStrings.stage.takeOver}</Button>
          <p className="w-full text-muted">{text.busy}</p>
        </>
      )}
      {stage.kind === "following" && stage.blackout && <p className="w-full text-warn">{text.black}</p>}
      {isSilent && (
        <p role="alert" className="w-full text-warn">
          {text.noSound}
        </p>
      )}
    </div>
  );
}
