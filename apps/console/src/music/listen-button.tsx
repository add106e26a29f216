import type { Song } from "@followspot/contract/music";
import { Pause, Play } from "lucide-react";
import { useStore } from "../lib/store.ts";
import { Button } from "../ui/button.tsx";
import { rowTitleId } from "../ui/select-boxes.tsx";
import { holdListening, listening, listenTo } from "./listening.ts";
import { musicStrings } from "./music.strings.ts";

const text = musicStrings.listen;

/** Plays a song in this browser, without its show. */
export function ListenButton({ song }: { readonly song: Song }) {
  const heard = useStore(listening);
  const isPlaying = heard?.song.id === song.id && heard.isPlaying;
  const label = isPlaying ? text.pause : text.play;
  return (
    <Button
      aria-label={label}
      title={label}
      aria-describedby={rowTitleId(song.id)}
      onClick={() => (isPlaying ? holdListening() : listenTo(song))}
    >
      {isPlaying ? <Pause aria-hidden size={14} /> : <Play aria-hidden size={14} />}
    </Button>
  );
}
