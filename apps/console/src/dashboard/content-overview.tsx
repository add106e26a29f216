import { errorText } from "../lib/errors.ts";
import { countOfFilter, type useContent } from "./dashboard.queries.ts";
import { dashboardStrings } from "./dashboard.strings.ts";
import { Cards, NumberCard } from "./number-card.tsx";

const text = dashboardStrings.content;
const failures = dashboardStrings.loadErrors;

/** How much there is of each thing; a list that the role may not see has no card. */
export function ContentOverview({ content }: { readonly content: ReturnType<typeof useContent> }) {
  const { users, events, songs, lights } = content;
  const failed = countOfFilter(songs.data, "error") ?? 0;
  const downloading = countOfFilter(songs.data, "downloading") ?? 0;
  return (
    <Cards title={text.title}>
      {users.isEnabled && (
        <NumberCard
          to="/users"
          search={{ show: "active" }}
          title={text.users}
          value={countOfFilter(users.data, "active")}
          failed={users.error && `${failures.users}: ${errorText(users.error)}`}
          caption={text.verified(countOfFilter(users.data, "verified") ?? 0)}
        />
      )}
      {events.isEnabled && (
        <NumberCard
          to="/events"
          search={{ show: "active" }}
          title={text.events}
          value={countOfFilter(events.data, "active")}
          failed={events.error && `${failures.events}: ${errorText(events.error)}`}
        />
      )}
      {songs.isEnabled && (
        <NumberCard
          to="/music"
          isLong
          title={text.songs}
          value={countOfFilter(songs.data, "")}
          failed={songs.error && `${failures.songs}: ${errorText(songs.error)}`}
          caption={
            <>
              <span className="whitespace-nowrap">{text.ready(countOfFilter(songs.data, "ready") ?? 0)} ·</span>{" "}
              <span className="whitespace-nowrap">{text.processing(countOfFilter(songs.data, "processing") ?? 0)}</span>{" "}
              {downloading > 0 && <span className="whitespace-nowrap">{`· ${text.downloading(downloading)} `}</span>}
              {failed > 0 && (
                <span className="whitespace-nowrap">
                  {"· "}
                  <span className="text-danger">{text.error(failed)}</span>
                </span>
              )}
            </>
          }
        />
      )}
      {lights.isEnabled && (
        <NumberCard
          to="/lights"
          title={text.lights}
          value={countOfFilter(lights.data, "")}
          failed={lights.error && `${failures.lights}: ${errorText(lights.error)}`}
          caption={text.enabled(countOfFilter(lights.data, "enabled") ?? 0)}
        />
      )}
    </Cards>
  );
}
