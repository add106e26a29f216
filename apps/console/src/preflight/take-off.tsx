import { MusicService } from "@followspot/contract/music";
import { NightService, type SongPlace } from "@followspot/contract/night";
import { useTransport } from "@connectrpc/connect-query";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCan } from "../auth/can.ts";
import { caller, methodKey } from "../lib/list-source.ts";
import { Button } from "../ui/button.tsx";
import { sayWhy } from "../ui/delete-dialog.tsx";
import { showToast } from "../ui/toast.tsx";
import { preflightStrings as text } from "./preflight.strings.ts";

const rpc = MusicService.method;

/** Button that removes the songs of a line from their playlists, with Undo. Hidden if there are none, or without permission. */
export function TakeOff({ places }: { readonly places: readonly SongPlace[] }) {
  const can = useCan();
  const cache = useQueryClient();
  const call = caller(useTransport());
  const each = (change: (place: { playlistId: string; songId: string }) => Promise<unknown>) => async () => {
    try {
      for (const { playlistId, songId } of places) await change({ playlistId, songId });
    } finally {
      for (const read of [NightService.method.checkPreflight, rpc.listPlaylists])
        void cache.invalidateQueries({ queryKey: methodKey(read) });
    }
  };
  const undo = () => void each((place) => call(rpc.addSongToPlaylist, place))().catch(sayWhy);
  const songs = new Set(places.map(({ songId }) => songId)).size;
  const remove = useMutation({
    mutationFn: each((place) => call(rpc.removeSongFromPlaylist, place)),
    onSuccess: () => showToast(text.tookOff(songs), { undo }),
    onError: sayWhy,
  });
  if (places.length === 0 || !can(rpc.removeSongFromPlaylist)) return null;
  return (
    <Button large pending={remove.isPending} onClick={() => remove.mutate()}>
      {text.takeOff(songs)}
    </Button>
  );
}
