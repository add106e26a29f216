import type { PlayerSong } from "@followspot/contract";
import { Music, Volume2, VolumeX } from "lucide-react";
import { useEffect, useRef } from "react";
import { clockTime } from "../lib/formatting.ts";
import { useStore } from "../lib/store.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { useWakefulScreen } from "../ui/use-wakeful-screen.ts";
import { MachineBlock } from "./machine-block.tsx";
import { Meter } from "./meter.tsx";
import type { PaPlayer, PlayerView } from "./pa-player.ts";
import { playerStrings as text } from "./player.strings.ts";

/**
 * Page on the machine with the PA; plays the show queue.
 * @param player undefined if the URL has no key
 */
export function PlayerPage({ player }: { readonly player: PaPlayer | undefined }) {
  useWakefulScreen();
  return player ? <Screen player={player} /> : <Sign title={text.noKey} hint={text.noKeyHint} />;
}

function Screen({ player }: { readonly player: PaPlayer }) {
  const view = useStore(player.view);
  if (view.connection === "ended") return <Sign title={text.ended} hint={text.endedHint} />;
  if (view.connection === "connecting") return <Sign title={text.connecting} />;
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-3xl flex-col gap-5 p-5 sm:p-8">
      <Status view={view} />
      {!view.isAllowed && (
        <Notice hint={text.startHint}>
          <BigButton onClick={() => void player.allow().catch(() => undefined)}>{text.start}</BigButton>
        </Notice>
      )}
      {!view.isHeard && (
        <Notice hint={text.other(view.heardName)}>
          <BigButton onClick={() => player.takeOver()}>{text.takeOver}</BigButton>
        </Notice>
      )}
      {view.problem && (
        <p role="alert" className="rounded-lg border border-danger px-4 py-3 text-sm text-danger">
          {view.problem}
        </p>
      )}
      <NowBlock view={view} player={player} />
      <NextBlock view={view} />
      <Meter player={player} />
      <MachineBlock player={player} />
    </main>
  );
}

/** Connection and volume, in one row. */
function Status({ view }: { readonly view: PlayerView }) {
  const isLive = view.connection === "live";
  const Speaker = view.isMuted ? VolumeX : Volume2;
  return (
    <header className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted">
      <h1 className="font-semibold text-fg">
        Followspot <span className="font-normal text-muted">{text.title}</span>
      </h1>
      <p role="status" className="flex items-center gap-1.5">
        <span aria-hidden className={cx("size-2 rounded-full", isLive ? "bg-ok" : "bg-warn")} />
        {isLive ? text.live : text.away}
      </p>
      <p className={cx("flex items-center gap-1.5 sm:ml-auto", view.isMuted && "text-warn")}>
        <Speaker aria-hidden size={16} />
        {view.isMuted ? text.muted : text.volume(Math.round(view.volume * 100))}
      </p>
    </header>
  );
}

function NowBlock({ view, player }: { readonly view: PlayerView; readonly player: PaPlayer }) {
  const { queue } = view;
  const song = queue?.song;
  if (!queue || !song)
    return (
      <section className="flex flex-col items-center gap-2 rounded-lg border bg-surface px-6 py-14 text-center">
        <Music aria-hidden size={28} className="text-muted" />
        <p className="text-lg font-semibold">{text.nothing}</p>
        <p className="text-sm text-muted">{text.nothingHint}</p>
      </section>
    );
  return (
    <section className="flex flex-col gap-4 rounded-lg border bg-surface p-6">
      <div>
        <p className="text-2xl leading-tight font-semibold break-words sm:text-4xl">{song.title || text.untitled}</p>
        <p className="mt-1 truncate text-lg text-muted">{song.artist}</p>
      </div>
      <Progress player={player} song={song} isPaused={queue.mode === "paused"} pausedAt={queue.paused_at} />
    </section>
  );
}

/** Progress of the song. Drawn on each frame, outside React. */
function Progress({
  player,
  song,
  isPaused,
  pausedAt,
}: {
  readonly player: PaPlayer;
  readonly song: PlayerSong;
  readonly isPaused: boolean;
  readonly pausedAt: number;
}) {
  const bar = useRef<HTMLDivElement>(null);
  const time = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    let frame = 0;
    const draw = () => {
      const heard = player.heard();
      const at = isPaused ? pausedAt : heard?.songId === song.id ? heard.position : 0;
      if (bar.current) bar.current.style.transform = `scaleX(${Math.min(1, at / song.seconds)})`;
      const shown = `${clockTime(at)} / ${clockTime(song.seconds)}`;
      if (time.current && time.current.textContent !== shown) time.current.textContent = shown;
      frame = requestAnimationFrame(draw);
    };
    draw();
    return () => cancelAnimationFrame(frame);
  }, [player, song, isPaused, pausedAt]);
  return (
    <div className="flex flex-col gap-2">
      <div className="h-1.5 overflow-hidden rounded-full bg-raised">
        <div ref={bar} className="h-full origin-left bg-accent" />
      </div>
      <p className="flex justify-between text-lg tabular-nums">
        <span ref={time} role="timer" />
        {isPaused && <span className="text-warn">{text.paused}</span>}
      </p>
    </div>
  );
}

function NextBlock({ view }: { readonly view: PlayerView }) {
  const songs = view.queue?.next ?? [];
  if (!view.queue?.song) return null;
  return (
    <section aria-label={text.next} className="flex flex-col gap-1 px-1">
      <p className="flex justify-between text-xs text-muted">
        <span>{songs.length > 0 ? text.next : text.noNext}</span>
        <span>{text.loaded(view.loadedAhead, songs.length)}</span>
      </p>
      <ol>
        {songs.map(({ id, title, artist, seconds }) => (
          <li key={id} className="flex items-baseline gap-3 py-0.5 text-sm">
            <span className="truncate">{title || text.untitled}</span>
            <span className="min-w-0 flex-1 truncate text-muted">{artist}</span>
            <span className="text-muted tabular-nums">{clockTime(seconds)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Notice({ hint, children }: { readonly hint: string; readonly children: React.ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-4 rounded-lg border border-warn px-4 py-3">
      {children}
      <p className="min-w-0 flex-1 basis-52 text-sm">{hint}</p>
    </div>
  );
}

const BigButton = (props: React.ComponentProps<typeof Button>) => (
  <Button variant="primary" {...props} className="h-11 px-5 text-lg" />
);

function Sign({ title, hint = "" }: { readonly title: string; readonly hint?: string }) {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-2 p-8 text-center" role="status">
      <h1 className="text-2xl font-semibold">{title}</h1>
      <p className="text-lg text-muted">{hint}</p>
    </main>
  );
}
