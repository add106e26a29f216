import { useMutation, useQuery } from "@connectrpc/connect-query";
import { MusicService, type Song } from "@followspot/contract/music";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "../lib/list-refresh.ts";
import { methodKey } from "../lib/list-source.ts";
import { sayWhy } from "../ui/delete-dialog.tsx";
import { SelectField, TextField } from "../ui/fields.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { FormError } from "../ui/form-error.tsx";
import type { AnyBulkAction, BulkSteps } from "../ui/selection-bar.tsx";
import { showToast } from "../ui/toast.tsx";
import { SONGS } from "./music.queries.ts";
import { musicStrings } from "./music.strings.ts";

const rpc = MusicService.method;
const text = musicStrings.toPlaylist;
/** Value of the option that creates a playlist. */
const NEW = "";

/** Bulk action that adds the selected songs to a playlist, in list order. */
export function useBulkToPlaylist(): AnyBulkAction<Song> {
  const stepsOnto = useStepsOnto();
  return {
    label: text.label,
    ask: ({ onAnswer, onClose }) => (
      <ChoosePlaylist onChoose={(playlist) => onAnswer(stepsOnto(playlist))} onClose={onClose} />
    ),
  };
}

/** Dialog that adds one song to a playlist. */
export function AddToPlaylist({ song, onClose }: { readonly song: Song; readonly onClose: () => void }) {
  const stepsOnto = useStepsOnto();
  const add = async (playlist: Named) => {
    const { act, done, undo } = stepsOnto(playlist);
    onClose();
    try {
      await act(song);
      showToast(done(1), { undo: () => void undo(song).catch(sayWhy) });
    } catch (error) {
      sayWhy(error);
    }
  };
  return <ChoosePlaylist onChoose={add} onClose={onClose} />;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

function useStepsOnto() {
  const change = useChange(SONGS);
  const cache = useQueryClient();
  const told = async <Answer,>(answer: Promise<Answer>) => {
    await answer;
    void cache.invalidateQueries({ queryKey: methodKey(rpc.listPlaylists) });
  };
  return ({ id: playlistId, name }: Named) =>
    ({
      act: ({ id }) => told(change(rpc.addSongToPlaylist, { playlistId, songId: id })),
      done: (songs) => text.done(songs, name),
      undo: ({ id }) => told(change(rpc.removeSongFromPlaylist, { playlistId, songId: id })),
    }) satisfies BulkSteps<Song>;
}

/** Dialog to select a playlist or to create one by name. */
function ChoosePlaylist({
  onChoose,
  onClose,
}: {
  readonly onChoose: (playlist: Named) => void | Promise<void>;
  readonly onClose: () => void;
}) {
  const { data } = useQuery(rpc.listPlaylists, {}, { staleTime: 0 });
  const create = useMutation(rpc.createPlaylist);
  const [wanted, setWanted] = useState<string>();
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string>();
  const playlists = data?.playlists ?? [];
  const chosen = wanted ?? playlists[0]?.id ?? NEW;
  const submit = async () => {
    const playlist = playlists.find(({ id }) => id === chosen);
    if (playlist) return onChoose(playlist);
    if (!name.trim()) return setProblem(text.nameRequired);
    const made = (await create.mutateAsync({ name }).catch(() => undefined))?.playlist; // The form shows the reason.
    if (made) await onChoose(made);
  };
  return (
    <FormDialog
      title={text.title}
      submitLabel={text.submit}
      pending={create.isPending || !data}
      onSubmit={submit}
      onClose={onClose}
    >
      <FormError error={create.error} />
      <SelectField label={text.playlist} value={chosen} onChange={({ target }) => setWanted(target.value)}>
        {playlists.map((each) => (
          <option key={each.id} value={each.id}>
            {text.option(each.name, each.songs.length)}
          </option>
        ))}
        <option value={NEW}>{text.new}</option>
      </SelectField>
      {chosen === NEW && (
        <TextField
          label={text.name}
          value={name}
          most={200}
          error={problem}
          onChange={({ target }) => {
            setName(target.value);
            setProblem(undefined);
          }}
        />
      )}
    </FormDialog>
  );
}
