import type { Playlist } from "@followspot/contract/music";
import { useState } from "react";
import { SelectField, TextField } from "../../ui/fields.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { FormError } from "../../ui/form-error.tsx";
import type { PlaylistCalls } from "./playlists.queries.ts";
import { playlistStrings } from "./playlists.strings.ts";

const text = playlistStrings.transition;

type Kind = keyof typeof text.kinds;
/** Maximum duration per kind of transition in the contract, s. */
const MOST = { fade: 12, cut: 0, gap: 600 } as const;
const MOST_LIGHT = 20;
const USUAL = { fade: 4, cut: 0, gap: 2 } as const;

/** Dialog for the transition between songs of a playlist. */
export function TransitionDialog({
  calls: { setTransition },
  playlist,
  onClose,
}: {
  readonly calls: PlaylistCalls;
  readonly playlist: Playlist;
  readonly onClose: () => void;
}) {
  const { id, name, gapSeconds, fadeSeconds } = playlist;
  const [kind, setKind] = useState<Kind>(gapSeconds < 0 ? "fade" : gapSeconds === 0 ? "cut" : "gap");
  const [seconds, setSeconds] = useState(String(Math.abs(gapSeconds)));
  const [light, setLight] = useState(String(fadeSeconds));
  const secondsError = problemOf(seconds, 0, MOST[kind]);
  const lightError = problemOf(light, 0, MOST_LIGHT);
  const [isTried, setTried] = useState(false);
  const submit = () => {
    setTried(true);
    if ((kind !== "cut" && secondsError) || lightError) return;
    const gap = kind === "cut" ? 0 : kind === "fade" ? -Number(seconds) : Number(seconds);
    setTransition.mutate({ playlistId: id, gapSeconds: gap, fadeSeconds: Number(light) }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={text.title(name)}
      submitLabel={text.save}
      pendingLabel={playlistStrings.saving}
      pending={setTransition.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <FormError error={setTransition.error} />
      <SelectField
        label={text.kind}
        hint={text.holds}
        value={kind}
        onChange={({ target }) => {
          const next = target.value as Kind; // The value is one of the options below.
          setKind(next);
          if (problemOf(seconds, 0.1, MOST[next])) setSeconds(String(USUAL[next]));
        }}
      >
        {(Object.keys(text.kinds) as Kind[]).map((each) => (
          <option key={each} value={each}>
            {text.kinds[each]}
          </option>
        ))}
      </SelectField>
      {kind !== "cut" && (
        <TextField
          label={text.seconds[kind]}
          inputMode="decimal"
          value={seconds}
          error={isTried ? secondsError : undefined}
          onChange={({ target }) => setSeconds(target.value)}
        />
      )}
      <TextField
        label={text.light}
        hint={text.lightHint}
        inputMode="decimal"
        value={light}
        error={isTried ? lightError : undefined}
        onChange={({ target }) => setLight(target.value)}
      />
    </FormDialog>
  );
}

function problemOf(said: string, from: number, to: number): string | undefined {
  const value = Number(said);
  return said.trim() !== "" && value >= from && value <= to ? undefined : text.range(from, to);
}
