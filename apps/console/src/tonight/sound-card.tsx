import type { Sound } from "@followspot/contract/sound";
import { Volume2, VolumeX } from "lucide-react";
import { Heard } from "../music/playlists/player-block.tsx";
import { useSound, useSoundCalls } from "../music/playlists/playlists.queries.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "./card.tsx";
import { FLOOR_DB, shareOfLevel } from "./level-share.ts";
import { tonightStrings as text } from "./tonight.strings.ts";

/** Interval of level reports from players, ms. Each covers the second before. */
const LEVELS_MS = 1000;

/** Shows the active player, its levels left and right, and a button to mute it. */
export function SoundCard({ className }: { readonly className?: string }) {
  const { data, isError } = useSound(true, LEVELS_MS);
  const sound = data?.sound;
  return (
    <Card title={text.sound} {...(className && { className })} aside={sound && <Mute sound={sound} />}>
      {isError ? (
        <p role="alert" className="text-sm text-danger">
          {text.soundUnread}
        </p>
      ) : (
        sound && (
          <>
            <Heard heard={sound.heard} />
            {sound.heard?.isConnected && sound.heard.levelsDb.length > 0 && <Meters levels={sound.heard.levelsDb} />}
            <p className="text-xs text-muted tabular-nums">
              {[text.volume(sound.volume), sound.level === undefined ? text.asRecorded : text.lufs(sound.level)].join(
                " · ",
              )}
            </p>
          </>
        )
      )}
    </Card>
  );
}

function Mute({ sound: { isMuted } }: { readonly sound: Sound }) {
  const { toggleMute } = useSoundCalls();
  return (
    <Button aria-pressed={isMuted} onClick={() => toggleMute.mutate()}>
      {isMuted ? <VolumeX aria-hidden size={14} className="text-warn" /> : <Volume2 aria-hidden size={14} />}
      {isMuted ? text.muted : text.mute}
    </Button>
  );
}

const MARKS = [-48, -36, -24, -12, 0];

/** Meters for left and right on a dB scale; the last quarter is colored as a warning. */
function Meters({ levels }: { readonly levels: readonly number[] }) {
  return (
    <div className="flex flex-col gap-1">
      {text.sides.map((side, at) => {
        const level = levels[at] ?? FLOOR_DB;
        return (
          <div key={side} className="flex items-center gap-2">
            <span aria-hidden className="w-2 text-xs text-muted">
              {side.charAt(0)}
            </span>
            <div
              role="meter"
              aria-label={text.levelOf(side)}
              aria-valuemin={FLOOR_DB}
              aria-valuemax={0}
              aria-valuenow={Math.max(FLOOR_DB, level)}
              aria-valuetext={text.decibels(level)}
              className="h-1.5 min-w-0 flex-1 overflow-hidden rounded-full bg-raised"
            >
              <span
                className="block h-full bg-linear-to-r from-ok from-75% to-warn transition-[clip-path] duration-300"
                style={{ clipPath: `inset(0 ${(100 * (1 - shareOfLevel(level))).toFixed(1)}% 0 0)` }}
              />
            </div>
          </div>
        );
      })}
      <div aria-hidden className="flex justify-between pl-4 text-xs leading-none text-muted tabular-nums">
        {MARKS.map((mark) => (
          <span key={mark}>{mark === 0 ? "0 dB" : String(mark).replace("-", "−")}</span>
        ))}
      </div>
    </div>
  );
}
