import type { Song } from "@followspot/contract/music";
import { Thumbnail, type ThumbnailSize } from "../ui/thumbnail.tsx";
import { pictureAngle, pictureBars } from "./picture-bars.ts";
import { paletteOf } from "./song-colors.ts";

type Pictured = Pick<Song, "id" | "title" | "coverImage" | "colorPalette" | "outline">;

/** Cover of a song; without one, a picture of its loudness in the colors of its show. */
export function SongPicture({ song, size }: { readonly song: Pictured; readonly size?: ThumbnailSize }) {
  const colors = paletteOf(song);
  const letter = <span className="text-sm font-semibold uppercase">{[...song.title.trim()][0] ?? "–"}</span>;
  return (
    <Thumbnail
      src={song.coverImage}
      {...(size && { size })}
      fallback={colors.length > 0 ? <Drawn song={song} colors={colors} /> : letter}
    />
  );
}

function Drawn({ song, colors }: { readonly song: Pictured; readonly colors: readonly string[] }) {
  const bars = pictureBars(song);
  const [from = "", to = from, third = to] = colors;
  const pitch = 100 / Math.max(1, bars.length);
  return (
    <span
      className="song-picture-colors size-full"
      style={{ backgroundImage: `linear-gradient(${pictureAngle(song)}deg, ${from} 8%, ${to} 62%, ${third})` }}
    >
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="size-full">
        {bars.map((height, bar) => (
          <rect key={bar} x={bar * pitch} width={pitch * 0.62} y={100 - 72 * height} height={72 * height} />
        ))}
      </svg>
    </span>
  );
}
