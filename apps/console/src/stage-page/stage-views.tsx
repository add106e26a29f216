import { STAGE_KEY_HEADER, type StageShown } from "@followspot/contract";
import { useEffect, useState, type ReactNode } from "react";
import { serverPath } from "../lib/base-path.ts";
import { FitText } from "./fit-text.tsx";
import type { StageAddress } from "./stage-address.ts";
import { stagePageStrings as text } from "./stage-page.strings.ts";

/** Content of the screen's center. */
export function ShownView({
  shown,
  title,
  countdown,
  address,
}: {
  readonly shown: StageShown;
  /** Title of the event. */
  readonly title: string;
  /** Large on the home screen; other views show it above. */
  readonly countdown: ReactNode;
  readonly address: StageAddress;
}) {
  switch (shown.view) {
    case "home":
      return (
        <div className="home">
          <h1 className={countdown ? "small" : ""}>
            <FitText text={title} most={countdown ? 0.7 : 0.35} />
          </h1>
          {countdown}
        </div>
      );
    case "announcement":
      return (
        <div className="announcement" role="alert" aria-label={text.announcement}>
          <h1>
            <FitText text={shown.text} />
          </h1>
        </div>
      );
    case "talk":
      return (
        <div className={shown.image ? "talk talk-pictured" : "talk"}>
          {shown.image && <TalkImage address={address} image={shown.image} />}
          <div className="talk-words">
            <h1>
              <FitText text={shown.title || text.untitled} most={0.4} />
            </h1>
            {shown.speaker && (
              <p className="speaker" dir="auto">
                {shown.speaker}
              </p>
            )}
          </div>
        </div>
      );
    case "leaderboard":
      return (
        <div className="leaderboard">
          <h1>{text.leaderboard}</h1>
          {shown.players.length === 0 && <p className="no-players">{text.noPlayers}</p>}
          <ol>
            {shown.players.map(({ name, points }, rank) => (
              // Two users may share a name; their ranks differ.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={rank}>
                <span className="rank">{rank + 1}</span>
                <span className="name" dir="auto">
                  {name}
                </span>
                <span className="points">{text.points(points)}</span>
              </li>
            ))}
          </ol>
        </div>
      );
    case "player":
      return (
        <div className="player">
          <h1>
            <FitText text={shown.name} most={0.5} />
          </h1>
          <p className="points">{text.pointsOf(shown.points)}</p>
        </div>
      );
    default:
      return shown satisfies never;
  }
}

/** Image of the talk, requested with the key of the link: an image URL in the page could be passed on. */
function TalkImage({ address: { id, key }, image }: { readonly address: StageAddress; readonly image: string }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const abort = new AbortController();
    let made: string | undefined;
    const read = async () => {
      const response = await fetch(serverPath(`/api/stage/${id}/picture`), {
        headers: { [STAGE_KEY_HEADER]: key },
        credentials: "omit",
        signal: abort.signal,
      });
      if (!response.ok) return;
      const bytes = await response.blob();
      if (abort.signal.aborted) return;
      made = URL.createObjectURL(bytes);
      setUrl(made);
    };
    read().catch(() => {}); // the talk is shown without its image
    return () => {
      abort.abort();
      if (made) URL.revokeObjectURL(made);
      setUrl(undefined);
    };
  }, [id, key, image]);
  return <div className="talk-image">{url && <img src={url} alt="" />}</div>;
}
