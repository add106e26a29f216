import { STAGE_KEY_HEADER, stageKeyProtocol, type Rig } from "@followspot/contract";
import { litByBytes } from "@followspot/lighting";
import { useEffect, useMemo, useState } from "react";
import { LampFeed } from "../lamps/lamp-feed.ts";
import { LampsConnection, NO_LAMPS } from "../lamps/lamps-connection.ts";
import { StageDrawing } from "../lamps/stage-drawing.tsx";
import { useStageLook } from "../lamps/use-stage-look.ts";
import { serverPath } from "../lib/base-path.ts";
import { socketUrl } from "../lib/socket-url.ts";
import type { StageAddress } from "./stage-address.ts";

/** Interval between requests for the rig, ms. Fixtures are rarely moved during a show. */
const RIG_MS = 30_000;
/** Retry interval while the rig could not be loaded, ms. */
const RETRY_MS = 3000;

/** Stage behind the text, lit by the fixtures' DMX values; dark while they are unknown. */
export function LampsBehind({ address }: { readonly address: StageAddress }) {
  const rig = useRigOf(address);
  const [feed] = useState(() => new LampFeed());
  const [view, setView] = useState(NO_LAMPS);
  const { look, lose } = useStageLook();
  useEffect(() => {
    const connection = new LampsConnection({
      url: socketUrl(`/lights/lamps/${address.id}`),
      connect: (url) => new WebSocket(url, stageKeyProtocol(address.key)),
      onView: setView,
      onSent: feed.hear,
    });
    return () => connection.close();
  }, [address, feed]);
  const lit = useMemo(() => rig && litByBytes(rig, feed.universes), [rig, feed]);
  if (!rig || !lit) return null;
  return (
    <div className="behind" data-connection={view.connection} aria-hidden>
      <StageDrawing rig={rig} lit={lit} isFed clock={feed} look={look} onLost={lose} isStill />
    </div>
  );
}

/** Loads the rig with all fixtures, without names; undefined until it is loaded. */
function useRigOf({ id, key }: StageAddress): Rig | undefined {
  const [text, setText] = useState<string>();
  useEffect(() => {
    const abort = new AbortController();
    let timer: number | undefined;
    const read = async () => {
      const answer = await fetch(serverPath(`/api/stage/${id}/rig`), {
        headers: { [STAGE_KEY_HEADER]: key },
        credentials: "omit",
        cache: "no-store",
        signal: abort.signal,
      });
      if (!answer.ok) throw new Error(`the rig was answered with ${answer.status}`);
      setText(await answer.text());
    };
    const keepReading = () =>
      void read().then(
        () => (timer = window.setTimeout(keepReading, RIG_MS)),
        // The text works without the rig, and the page itself reports an unreachable server.
        () => abort.signal.aborted || (timer = window.setTimeout(keepReading, RETRY_MS)),
      );
    keepReading();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [id, key]);
  // Unchanged text keeps the same object, so that nothing is rebuilt.
  return useMemo(() => (text === undefined ? undefined : (JSON.parse(text) as Rig)), [text]);
}
