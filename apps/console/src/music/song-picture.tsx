import type { Song } from "@followspot/contract/music";
import { useState } from "react";
import { cx } from "../ui/class-names.ts";
import { pictureAngle, pictureBars } from "./picture-bars.ts";
import { paletteOf } from "./song-colors.ts";

type Pictured = Pick<Song, "id" | "title" | "coverImage" | "colorPalette" | "outline">;

/** A song's cover; without one a picture of the song itself, in the colours of its show and as loud as it runs. */
export function SongPicture({ song, size = "small" }: { readonly song: Pictured; readonly size?: "small" | "large" }) {
  const [broken, setBroken] = useState("");
  const { coverImage, title } = song;
  const colors = paletteOf(song);
  const hasCover = coverImage !== "" && coverImage !== broken;
  return (
    <span aria-hidden className={cx("song-picture", size === "large" ? "size-14 sm:size-16" : "size-9")}>
      {hasCover ? (
        <img
          src={coverImage}
          alt=""
          width={36}
          height={36}
          loading="lazy"
          className="size-full object-cover"
          onError={() => setBroken(coverImage)}
        />
      ) : colors.length > 0 ? (
        <Drawn song={song} colors={colors} />
      ) : (
        <span className="text-sm font-semibold text-muted uppercase">{[...title.trim()][0] ?? "–"}</span>
      )}
    </span>
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
