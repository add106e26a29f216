import { DirectorService } from "@followspot/contract/director";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useCan } from "../auth/can.ts";
import { isNotFound } from "../lib/errors.ts";
import { useDocumentTitle } from "../ui/page.tsx";
import { EmptyState, ErrorState, Loading } from "../ui/states.tsx";
import { NO_EVENT, useEventsAround, usePresses, useScreenEvent, useStageScreen } from "./director.queries.ts";
import { directorStrings as text } from "./director.strings.ts";
import { OnStage } from "./on-stage.tsx";
import { PlayersBlock } from "./players-block.tsx";
import { cx } from "../ui/class-names.ts";
import { Options } from "../ui/options.tsx";
import { FIELD } from "./press-button.tsx";
import { TOUCH } from "../ui/touch.ts";
import { ProjectorBlock } from "./projector-block.tsx";
import { TalksBlock } from "./talks-block.tsx";
import { TimerBlock } from "./timer-block.tsx";
import { LampsBlock } from "./lamps-block.tsx";
import { AnnouncementBlock, StatusBlock } from "./words-blocks.tsx";

/** Controls with which a Director runs a stage screen. Dark in every theme, because it is used in the dark. */
export function DirectorPage() {
  const { eventId: screenId } = useParams({ from: "/shell/events/$eventId/stage" });
  const can = useCan();
  useDocumentTitle(text.title);
  return (
    <main className="booth min-h-0 flex-1 overflow-auto bg-bg text-fg">
      {can(DirectorService.method.goHome) ? (
        <Strip key={screenId} screenId={screenId} />
      ) : (
        <EmptyState text={text.denied}>
          <BackLink />
        </EmptyState>
      )}
    </main>
  );
}

function Strip({ screenId }: { readonly screenId: string }) {
  const { query, screen, clock } = useStageScreen(screenId);
  const presses = usePresses(screenId);
  if (isNotFound(query.error))
    return (
      <EmptyState text={text.noSuchEvent}>
        <BackLink />
      </EmptyState>
    );
  if (!screen) {
    if (query.error)
      return <ErrorState prefix={text.loadError} error={query.error} onRetry={() => void query.refetch()} />;
    return <Loading />;
  }
  return (
    <div className="mx-auto flex max-w-5xl flex-col gap-3 p-3">
      <header className="flex items-center gap-2">
        <BackLink />
        <ScreenChoice screenId={screenId} />
      </header>
      <h1 className="sr-only">{text.title}</h1>
      <OnStage screen={screen} clock={clock} presses={presses} />
      <div className="grid items-start gap-3 md:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-3">
          <TimerBlock presses={presses} />
          {screenId === NO_EVENT ? (
            <p className="text-muted">{text.talksOfEvents}</p>
          ) : (
            <TalksBlock eventId={screenId} screen={screen} presses={presses} />
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-3">
          <AnnouncementBlock presses={presses} />
          <StatusBlock status={screen.status} presses={presses} />
          <PlayersBlock presses={presses} />
          <LampsBlock isShown={screen.showsLamps} presses={presses} />
          <ProjectorBlock screenId={screenId} presses={presses} />
        </div>
      </div>
    </div>
  );
}

/** Select that shows the current stage screen and switches to others. */
function ScreenChoice({ screenId }: { readonly screenId: string }) {
  const navigate = useNavigate();
  const around = useEventsAround();
  const own = useScreenEvent(screenId);
  const events = [...(own && around.every(({ id }) => id !== own.id) ? [own] : []), ...around];
  return (
    <select
      aria-label={text.screen}
      value={screenId}
      onChange={({ target }) => void navigate({ to: "/events/$eventId/stage", params: { eventId: target.value } })}
      className={cx(FIELD, "truncate")}
    >
      <option value={NO_EVENT}>{text.noEvent}</option>
      <Options of={events.map(({ id, title }) => [id, title])} />
    </select>
  );
}

const BackLink = () => (
  <Link to="/events" aria-label={text.back} className={`${TOUCH} border-border bg-raised`}>
    <ArrowLeft aria-hidden size={18} />
  </Link>
);
