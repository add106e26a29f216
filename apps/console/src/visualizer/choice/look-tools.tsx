import { MOST_LOOK_NAME, type LightingPlan } from "@followspot/contract";
import { MusicService } from "@followspot/contract/music";
import { useState, type FormEvent } from "react";
import { useCan } from "../../auth/can.ts";
import { errorSentence } from "../../lib/errors.ts";
import { cx } from "../../ui/class-names.ts";
import { showToast } from "../../ui/toast.tsx";
import { buttonLook, HELP, MUTED, SELECT, SMALL_TITLE, TOOL_GROUP, TOOLS, WARN } from "../look.ts";
import type { SongPlayer } from "../player/song-player.ts";
import { NotYet } from "../side-tool.tsx";
import type { Changed } from "./change-wishes.ts";
import { choiceStrings } from "./choice.strings.ts";
import { useLookCalls, useLooks, type SavedLook } from "./looks.queries.ts";
import { copyLook, lookOf, putLook, sectionsLike, type PlannedSection } from "./section-look.ts";
import type { Choice } from "./use-choice.ts";
import { useSectionIndex } from "./use-section-index.ts";

const text = choiceStrings.looks;
const FIELD = cx(SELECT, "min-w-0 flex-1 px-2");

interface LookToolsProps {
  readonly choice: Choice;
  readonly plan: LightingPlan;
  readonly sections: readonly PlannedSection[];
  readonly player: SongPlayer;
  readonly disabled: boolean;
}

/**
 * Copies the look of the section at the playhead to sections with the same label, saves it as a look, and applies saved
 * looks.
 */
export function LookTools({ choice, plan, sections, player, disabled }: LookToolsProps) {
  const section = sections[useSectionIndex(sections, player)];
  const [said, setSaid] = useState({ text: "", isProblem: false });
  const take = (changed: Changed, done: string): void => {
    if ("problem" in changed) return setSaid({ text: changed.problem, isProblem: true });
    choice.change(changed.wishes);
    setSaid({ text: done, isProblem: false });
  };
  if (!section) return null;
  const others = sectionsLike(plan, section).length;
  const look = lookOf(plan, section);
  return (
    <div role="group" aria-labelledby="vz-looks" className={TOOL_GROUP}>
      <h3 id="vz-looks" className={SMALL_TITLE}>
        {text.title}
      </h3>
      {others > 0 && (
        <div className={TOOLS}>
          <button
            type="button"
            className={buttonLook({ small: true })}
            disabled={disabled}
            onClick={() => take(copyLook(choice.steps.present, plan, section), text.copied(section.label, others))}
          >
            {text.copy(section.label, others)}
          </button>
        </div>
      )}
      {look.cues.length > 0 && <SaveForm lookJson={JSON.stringify(look)} disabled={disabled} />}
      <p
        role={said.isProblem ? "alert" : "status"}
        className={cx(HELP, "-mt-1 empty:hidden", said.isProblem ? WARN : MUTED)}
      >
        {said.text}
      </p>
      <Library
        disabled={disabled}
        onPut={({ name, look: put }) =>
          take(
            putLook(choice.steps.present, plan, section, put, text.putReason(name)),
            text.putDone(name, section.label),
          )
        }
      />
    </div>
  );
}

function SaveForm({ lookJson, disabled }: { readonly lookJson: string; readonly disabled: boolean }) {
  const { save } = useLookCalls();
  const may = useCan()(MusicService.method.saveLook);
  const [name, setName] = useState("");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() === "") return;
    save.mutate({ name, lookJson }, { onSuccess: () => (setName(""), showToast(text.saved(name.trim()))) });
  };
  if (!may) return null;
  return (
    <>
      <form className="flex gap-1.5" onSubmit={submit}>
        <input
          aria-label={text.name}
          placeholder={text.nameHint}
          className={FIELD}
          maxLength={MOST_LOOK_NAME}
          value={name}
          disabled={disabled}
          onChange={({ target }) => setName(target.value)}
        />
        <button
          type="submit"
          className={buttonLook({ small: true })}
          disabled={disabled || save.isPending || name.trim() === ""}
        >
          {save.isPending ? text.saving : text.save}
        </button>
      </form>
      {save.error && (
        <p role="alert" className={cx(HELP, WARN, "-mt-1")}>
          {text.notSaved(errorSentence(save.error))}
        </p>
      )}
    </>
  );
}

interface LibraryProps {
  readonly disabled: boolean;
  readonly onPut: (look: SavedLook) => void;
}

function Library({ disabled, onPut }: LibraryProps) {
  const looks = useLooks();
  const calls = useLookCalls();
  const can = useCan();
  const [renamed, setRenamed] = useState("");
  const list = looks.data ?? [];
  if (looks.error && list.length === 0)
    return <NotYet problem={looks.error} notLoaded={text.failed} onRetry={() => void looks.refetch()} />;
  const error = calls.rename.error ?? calls.remove.error;
  const remove = ({ id, name, look }: SavedLook): void => {
    const undo = () => calls.save.mutate({ name, lookJson: JSON.stringify(look) });
    calls.remove.mutate({ lookId: id }, { onSuccess: () => showToast(text.deleted(name), { undo }) });
  };
  return (
    <details>
      <summary className="text-xs">{text.library(list.length)}</summary>
      {list.length === 0 && <p className={cx("pt-1 text-xs", MUTED)}>{text.none}</p>}
      <ul className="flex flex-col gap-2 pt-2">
        {list.map((each) => (
          <li key={each.id} className="flex flex-col gap-1 text-xs">
            {renamed === each.id ? (
              <RenameForm
                name={each.name}
                onKeep={(name) => calls.rename.mutate({ lookId: each.id, name }, { onSuccess: () => setRenamed("") })}
                onClose={() => setRenamed("")}
              />
            ) : (
              <span className="wrap-anywhere">
                {each.name} <span className={MUTED}>· {text.beats(Math.round(each.look.beats))}</span>
              </span>
            )}
            <span className={TOOLS}>
              <button
                type="button"
                className={buttonLook({ small: true })}
                disabled={disabled}
                onClick={() => onPut(each)}
              >
                {text.put}
                <span className="sr-only">{text.putNamed(each.name)}</span>
              </button>
              {can(MusicService.method.renameLook) && renamed !== each.id && (
                <button type="button" className={buttonLook({ small: true })} onClick={() => setRenamed(each.id)}>
                  {text.rename}
                  <span className="sr-only">{text.putNamed(each.name)}</span>
                </button>
              )}
              {can(MusicService.method.deleteLook) && (
                <button
                  type="button"
                  className={buttonLook({ small: true })}
                  disabled={calls.remove.isPending}
                  onClick={() => remove(each)}
                >
                  {text.delete}
                  <span className="sr-only">{text.putNamed(each.name)}</span>
                </button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {error && (
        <p role="alert" className={cx(HELP, WARN)}>
          {text.notSaved(errorSentence(error))}
        </p>
      )}
    </details>
  );
}

interface RenameFormProps {
  readonly name: string;
  readonly onKeep: (name: string) => void;
  readonly onClose: () => void;
}

function RenameForm({ name, onKeep, onClose }: RenameFormProps) {
  const [typed, setTyped] = useState(name);
  return (
    <form
      className="flex gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() !== "") onKeep(typed);
      }}
    >
      <input
        aria-label={text.renameTo(name)}
        className={FIELD}
        maxLength={MOST_LOOK_NAME}
        value={typed}
        autoFocus
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={({ key }) => key === "Escape" && onClose()}
      />
      <button type="submit" className={buttonLook({ small: true })} disabled={typed.trim() === ""}>
        {text.keepName}
      </button>
    </form>
  );
}
