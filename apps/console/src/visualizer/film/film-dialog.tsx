import type { SongAnalysis } from "@followspot/contract";
import type { Film } from "@followspot/contract/music";
import { useState } from "react";
import { serverPath } from "../../lib/base-path.ts";
import { clockTime } from "../../lib/formatting.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Dialog, DialogBody, SaveActions } from "../../ui/dialog.tsx";
import { CheckboxField, SelectField } from "../../ui/fields.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { Options } from "../../ui/options.tsx";
import { Progress } from "../../ui/progress.tsx";
import type { SongPlayer } from "../player/song-player.ts";
import { useFilmCalls, useFilms } from "./film.queries.ts";
import { filmStrings as text } from "./film.strings.ts";
import { stretchesAt } from "./stretches.ts";

/** Maximum length of a film that the server accepts, seconds. */
const LONGEST = { mp4: 600, webp: 60 } as const;

interface FilmDialogProps {
  readonly songId: string;
  readonly analysis: SongAnalysis;
  readonly player: SongPlayer;
  readonly onClose: () => void;
}

/** Dialog that exports part of the show as a video: range, look, progress and download. */
export function FilmDialog({ songId, analysis, player, onClose }: FilmDialogProps) {
  const { data, error } = useFilms();
  const { start } = useFilmCalls();
  // Chosen when the dialog opens, because the song may continue to play behind it.
  const [stretches] = useState(() => stretchesAt(analysis, player.state().loop, player.time()));
  const [at, setAt] = useState(0);
  const [chosenType, setType] = useState<"mp4" | "webp">();
  const [look, setLook] = useState<"flat" | "3d">("flat");
  const [size, setSize] = useState<string>("1280x720");
  const [hasSound, setSound] = useState(true);
  const { films = [], noVideo = "", noStage = "" } = data ?? {};
  const type = chosenType ?? (noVideo === "" ? "mp4" : "webp");
  const sound = hasSound && type === "mp4";
  const { from, to: end } = stretches[at]!; // `at` is one of its indexes.
  const to = Math.min(end, from + LONGEST[type]);
  return (
    <Dialog open title={text.open} onClose={onClose}>
      <form
        className="contents"
        onSubmit={(submission) => {
          submission.preventDefault();
          start.mutate({ songId, from, to, type, size, look, sound });
        }}
      >
        <DialogBody>
          <FormError error={start.error ?? error} />
          <SelectField
            label={text.stretch}
            hint={to < end ? text.cut(clockTime(from), clockTime(to)) : ""}
            value={at}
            onChange={({ target }) => setAt(Number(target.value))}
          >
            <Options of={stretches.map(({ label }, i) => [i, label])} />
          </SelectField>
          <SelectField
            label={text.type}
            hint={noVideo}
            value={type}
            onChange={({ target }) => setType(target.value === "mp4" ? "mp4" : "webp")}
          >
            <option value="mp4" disabled={noVideo !== ""}>
              {text.types.mp4}
            </option>
            <option value="webp">{text.types.webp}</option>
          </SelectField>
          <SelectField
            label={text.look}
            hint={noStage}
            value={look}
            onChange={({ target }) => setLook(target.value === "3d" ? "3d" : "flat")}
          >
            <option value="flat">{text.looks.flat}</option>
            <option value="3d" disabled={noStage !== ""}>
              {text.looks["3d"]}
            </option>
          </SelectField>
          <SelectField label={text.size} value={size} onChange={({ target }) => setSize(target.value)}>
            <Options of={text.sizes.map((each) => [each, text.sizeName(each)])} />
          </SelectField>
          <CheckboxField
            label={text.sound}
            checked={sound}
            disabled={type !== "mp4"}
            onChange={({ target }) => setSound(target.checked)}
          />
          <Films films={films} />
        </DialogBody>
        <SaveActions
          label={text.start}
          pendingLabel={text.starting}
          pending={start.isPending}
          disabled={!data}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}

function Films({ films }: { readonly films: readonly Film[] }) {
  return (
    <section aria-labelledby="vz-films" className="mt-1 border-t pt-3">
      <h3 id="vz-films" className="text-sm font-semibold">
        {text.films}
      </h3>
      {films.length === 0 && <p className="mt-1 text-xs text-muted">{text.none}</p>}
      <ul className="mt-1 flex flex-col gap-2">
        {films.map((film) => (
          <FilmRow key={film.id} film={film} />
        ))}
      </ul>
    </section>
  );
}

function FilmRow({ film }: { readonly film: Film }) {
  const { cancel } = useFilmCalls();
  const { id, title, from, to, state, progress, problem, url } = film;
  const isMaking = state === "making";
  const name = `${title}, ${text.stretchOf(clockTime(from), clockTime(to))}`;
  return (
    <li className="flex flex-col gap-1">
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1">
          <span className="block truncate text-sm" title={title}>
            {title}
          </span>
          <span className="block text-xs text-muted tabular-nums">
            {text.stretchOf(clockTime(from), clockTime(to))}
            {isMaking && ` · ${text.making(Math.round(100 * progress))}`}
          </span>
        </span>
        {url !== "" && (
          <a
            href={serverPath(url)}
            download
            aria-label={text.downloadOf(name)}
            className={buttonClass({ variant: "primary" })}
          >
            {text.download}
          </a>
        )}
        <Button
          aria-label={isMaking ? text.cancelOf(name) : text.removeOf(name)}
          pending={cancel.isPending}
          onClick={() => cancel.mutate({ filmId: id })}
        >
          {isMaking ? text.cancel : text.remove}
        </Button>
      </div>
      {isMaking && <Progress label={text.progress(name)} value={progress} />}
      {problem !== "" && (
        <p role="alert" className="text-xs wrap-anywhere text-danger">
          {text.failed(problem)}
        </p>
      )}
    </li>
  );
}
