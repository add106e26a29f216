import type { StagePicture } from "@followspot/contract";
import { lazy, Suspense, useEffect, useState } from "react";
import { serverPath } from "../lib/base-path.ts";
import { ServerClock } from "../lib/server-clock.ts";
import { Countdown } from "../ui/countdown.tsx";
import { FitText } from "./fit-text.tsx";
import { addressOf, type StageAddress } from "./stage-address.ts";
import { StageConnection, type StageConnectionState } from "./stage-connection.ts";
import { stagePageStrings as text } from "./stage-page.strings.ts";
import { ShownView } from "./stage-views.tsx";
import { useWakefulScreen } from "../ui/use-wakeful-screen.ts";

/** Includes three.js, so it is loaded only when a director enables it; the text works without it. */
const LampsBehind = lazy(() =>
  import("./lamps-behind.tsx").then(
    (file) => ({ default: file.LampsBehind }),
    () => ({ default: Nothing }),
  ),
);

/** Page for a projector: shows the director's choice live, and has no controls. */
export function StagePage() {
  const [address, setAddress] = useState(() => addressOf(window.location));
  useWakefulScreen();
  useEffect(() => {
    // Pasting another link into the tab only changes the URL fragment.
    const read = () => setAddress(addressOf(window.location));
    window.addEventListener("hashchange", read);
    return () => window.removeEventListener("hashchange", read);
  }, []);
  if (!address) return <Ended text={text.noKey} hint={text.noKeyHint} />;
  return <Screen key={address.key} address={address} />;
}

function Screen({ address }: { readonly address: StageAddress }) {
  const [clock] = useState(() => new ServerClock());
  const [state, setState] = useState<StageConnectionState>("connecting");
  const [picture, setPicture] = useState<StagePicture>();
  const [heardAt, setHeardAt] = useState(0);
  useEffect(() => {
    const connection = new StageConnection({
      url: serverPath(`/api/stage/${address.id}/events`),
      key: address.key,
      onMessage: (message) => {
        if (message.type === "withdrawn") return;
        clock.hear(message.server_time);
        setHeardAt(message.server_time);
        if (message.type === "picture") setPicture(message.picture);
      },
      onState: (next) => {
        if (next === "behind") clock.forget();
        setState(next);
      },
    });
    return () => connection.close();
  }, [address, clock]);

  if (state === "ended") return <Ended text={text.ended} hint={text.endedHint} />;
  if (!picture) return <p className="sign">{text.connecting}</p>;
  return (
    <>
      {picture.lamps && (
        <Suspense>
          <LampsBehind address={address} />
        </Suspense>
      )}
      <Picture picture={picture} address={address} clock={clock} />
      {state === "behind" && (
        <p className="sign" role="status">
          {text.behind(clockText(heardAt))}
        </p>
      )}
    </>
  );
}

function Picture({
  picture,
  address,
  clock,
}: {
  readonly picture: StagePicture;
  readonly address: StageAddress;
  readonly clock: ServerClock;
}) {
  const { title, shown, status, timer, song } = picture;
  const isHome = shown.view === "home";
  const countdown = timer && (
    <Countdown
      className={isHome ? "timer timer-large" : "timer"}
      endsAt={timer.ends_at}
      totalMs={timer.seconds * 1000}
      clock={clock}
      over={text.timeIsUp}
    />
  );
  return (
    <div className="stage" data-view={shown.view} data-revision={picture.revision}>
      <header>
        <p className="event">{isHome ? "" : title}</p>
        {!isHome && countdown}
        <Clock clock={clock} />
      </header>
      <main key={shown.view}>
        <ShownView shown={shown} title={title} countdown={isHome ? countdown : null} address={address} />
      </main>
      <footer>
        {status && (
          <p className="status" dir="auto">
            {status}
          </p>
        )}
        {song && (
          <p className="song" dir="auto">
            <span aria-hidden>♪ </span>
            <span className="sr-only">{text.playing}: </span>
            {song.artist ? `${song.title} · ${song.artist}` : song.title}
          </p>
        )}
      </footer>
    </div>
  );
}

const Nothing = () => null;

/** Wall clock of the hall: the server's time in this machine's time zone. */
function Clock({ clock }: { readonly clock: ServerClock }) {
  const [shown, setShown] = useState(() => clockText(clock.now()));
  useEffect(() => {
    const timer = setInterval(() => setShown(clockText(clock.now())), 1000);
    return () => clearInterval(timer);
  }, [clock]);
  return <p className="clock">{shown}</p>;
}

function Ended({ text: said, hint }: { readonly text: string; readonly hint: string }) {
  return (
    <main className="ended">
      <div role="alert">
        <h1>
          <FitText text={`${said}\n${hint}`} most={0.12} />
        </h1>
      </div>
    </main>
  );
}

const clockText = (ms: number): string =>
  new Date(ms).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
