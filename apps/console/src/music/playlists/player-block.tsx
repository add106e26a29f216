import { SoundService, type Player, type Sound } from "@followspot/contract/sound";
import { Volume2, VolumeX } from "lucide-react";
import { useRef, useState } from "react";
import { useCan } from "../../auth/can.ts";
import { timeOfDay, toDate } from "../../lib/formatting.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { Dialog, DialogActions, DialogBody } from "../../ui/dialog.tsx";
import { LinkPanel } from "../../ui/link-panel.tsx";
import { useSound, useSoundCalls } from "./playlists.queries.ts";
import { playlistStrings } from "./playlists.strings.ts";

const rpc = SoundService.method;
const text = playlistStrings.sound;

/** The active player with its volume, and the link that opens a player. */
export function PlayerBlock({
  isLinkShown,
  onLink,
}: {
  readonly isLinkShown: boolean;
  /** Called to show or hide the dialog of the link. */
  readonly onLink: (isShown: boolean) => void;
}) {
  const can = useCan();
  const { data } = useSound(can(rpc.getSound));
  const { toggleMute, makeLink } = useSoundCalls();
  const sound = data?.sound;
  if (!can(rpc.getSound) || !sound) return null;
  const { heard, silent, isMuted, linkPath } = sound;
  const openLink = () => {
    if (linkPath === "") makeLink.mutate({});
    onLink(true);
  };
  return (
    <section
      aria-label={text.label}
      className="flex shrink-0 flex-wrap items-center gap-x-5 gap-y-3 rounded-lg border bg-surface px-4 py-3"
    >
      <div className="min-w-0 flex-1 basis-64">
        <Heard heard={heard} />
        {silent.length > 0 && <p className="truncate text-xs text-muted">{text.silent(silent)}</p>}
        {heard?.problem && (
          <p role="alert" className="text-xs text-danger">
            {heard.problem}
          </p>
        )}
      </div>
      <Volume sound={sound} />
      <Button large aria-pressed={isMuted} onClick={() => toggleMute.mutate()}>
        {isMuted ? <VolumeX aria-hidden size={14} className="text-warn" /> : <Volume2 aria-hidden size={14} />}
        {text.mute}
      </Button>
      <Level sound={sound} />
      <Button large variant={heard?.isConnected ? "secondary" : "primary"} onClick={openLink}>
        {text.open}
      </Button>
      {isLinkShown && <LinkDialog sound={sound} onClose={() => onLink(false)} />}
    </section>
  );
}

/** Sentence that names the active player. */
export function Heard({ heard }: { readonly heard: Player | undefined }) {
  const isGood = heard?.isConnected && heard.isAllowed;
  const facts = isGood && [
    heard.lightMinusSoundMs !== undefined && text.offset(Math.round(heard.lightMinusSoundMs)),
    heard.loadedAhead > 0 && text.ahead(heard.loadedAhead),
  ];
  return (
    <>
      <p className="flex items-start gap-2 text-sm" role="status">
        <span
          aria-hidden
          className={cx("mt-1.5 size-2 shrink-0 rounded-full", isGood ? "bg-ok" : heard ? "bg-warn" : "bg-muted")}
        />
        {sentence(heard)}
      </p>
      {facts && <p className="pl-4 text-xs text-muted">{facts.filter(Boolean).join(" · ")}</p>}
    </>
  );
}

function sentence(heard: Player | undefined): string {
  if (!heard) return text.none;
  const since = toDate(heard.since);
  if (!heard.isConnected) return text.away(heard.name, since ? timeOfDay(since) : "");
  return heard.isAllowed ? text.heard(heard.name) : text.waits(heard.name);
}

/**
 * Volume slider that follows the finger immediately. Changes are sent one after another; of several pending changes
 * only the last is sent.
 */
function Volume({ sound: { volume } }: { readonly sound: Sound }) {
  const { set } = useSoundCalls();
  const [held, setHeld] = useState<number>();
  const wanted = useRef<number>(undefined);
  const shown = held ?? volume;
  const turnTo = async (next: number) => {
    setHeld(next);
    const isGoing = wanted.current !== undefined;
    wanted.current = next;
    if (isGoing) return;
    for (let told: number | undefined; told !== wanted.current;) {
      told = wanted.current;
      await set.mutateAsync({ volume: told }).catch(() => undefined); // The mutation reports its error.
    }
    wanted.current = undefined;
    setHeld(undefined);
  };
  return (
    <label className="flex items-center gap-2 text-xs text-muted">
      {text.volume}
      <input
        type="range"
        min={0}
        max={100}
        value={Math.round(shown * 100)}
        onChange={({ target }) => void turnTo(Number(target.value) / 100)}
        className="h-8 w-32 accent-accent"
      />
      <span className="w-10 text-right text-fg tabular-nums">{text.percent(shown)}</span>
    </label>
  );
}

function Level({ sound: { level } }: { readonly sound: Sound }) {
  const { set } = useSoundCalls();
  const isOther = level !== undefined && !text.levels.some(({ value }) => value === level);
  return (
    <label className="flex items-center gap-2 text-xs text-muted">
      {text.level}
      <select
        value={level ?? ""}
        onChange={({ target: { value } }) => set.mutate(value === "" ? { asRecorded: true } : { level: Number(value) })}
        className="h-8 rounded-md border bg-bg px-2 text-sm text-fg"
      >
        {text.levels.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        {isOther && <option value={level}>{text.otherLevel(level)}</option>}
        <option value="">{text.levelAsRecorded}</option>
      </select>
    </label>
  );
}

function LinkDialog({ sound: { linkPath }, onClose }: { readonly sound: Sound; readonly onClose: () => void }) {
  const { makeLink, withdrawLink } = useSoundCalls();
  return (
    <Dialog open title={text.linkTitle} onClose={onClose}>
      <DialogBody>
        <p className="text-sm text-muted">{text.linkHint}</p>
        {linkPath === "" ? (
          <Button large variant="primary" pending={makeLink.isPending} onClick={() => makeLink.mutate({})}>
            {text.makeLink}
          </Button>
        ) : (
          <>
            <LinkPanel path={linkPath} page={text.page} onOpen={onClose} />
            <div className="flex flex-wrap items-center gap-2">
              <Button pending={makeLink.isPending} onClick={() => makeLink.mutate({})}>
                {text.renewLink}
              </Button>
              <Button variant="danger" pending={withdrawLink.isPending} onClick={() => withdrawLink.mutate({})}>
                {text.withdrawLink}
              </Button>
              <p className="text-xs text-muted">{text.renewHint}</p>
            </div>
          </>
        )}
      </DialogBody>
      <DialogActions>
        <Button large onClick={onClose}>
          {text.close}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
