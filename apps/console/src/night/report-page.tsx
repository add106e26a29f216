import { timestampMs } from "@bufbuild/protobuf/wkt";
import { useQuery as useCall } from "@connectrpc/connect-query";
import {
  NightService,
  type NightFault,
  type NightReport,
  type PlayedSong,
  type TalkReport,
} from "@followspot/contract/night";
import { Link, useParams } from "@tanstack/react-router";
import { ArrowLeft, Download, Printer } from "lucide-react";
import type { ReactNode } from "react";
import { useCan } from "../auth/can.ts";
import { clockNote } from "../event/own-times.ts";
import { serverPath } from "../lib/base-path.ts";
import { isNotFound } from "../lib/errors.ts";
import { dateTime, songDuration, timeOfDay, toDate } from "../lib/formatting.ts";
import { ownZone } from "../lib/time-zone.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState, ErrorState, Loading } from "../ui/states.tsx";
import { nightStrings } from "./night.strings.ts";
import { PeopleChart } from "./people-chart.tsx";
import { peopleBars } from "./people-plot.ts";
import "./report.css";

const text = nightStrings.report;
const rpc = NightService.method;
/** It is read while the night goes on as well. */
const LOOK_MS = 15_000;

/** What an event's night was. */
export function ReportPage() {
  const { eventId } = useParams({ from: "/shell/events/$eventId/report" });
  const isAllowed = useCan()(rpc.getNightReport);
  const { data, isPending, error, refetch } = useCall(
    rpc.getNightReport,
    { eventId },
    { enabled: isAllowed, staleTime: 0, refetchInterval: LOOK_MS },
  );
  const report = data?.report;
  const isEmpty = report !== undefined && isNothing(report);
  return (
    <Page
      title={report ? text.titleOf(report.eventTitle) : text.title}
      {...(report && { subtitle: subtitleOf(report) })}
      tools={
        <span className="flex flex-wrap gap-2 print:hidden">
          {report && !isEmpty && (
            <>
              <Button onClick={() => window.print()}>
                <Printer aria-hidden size={14} /> {text.print}
              </Button>
              <a href={csvPath(report)} download className={buttonClass()}>
                <Download aria-hidden size={14} /> {text.download}
              </a>
            </>
          )}
          <Link to="/events" className={buttonClass()}>
            <ArrowLeft aria-hidden size={14} /> {text.back}
          </Link>
        </span>
      }
    >
      {!isAllowed ? (
        <EmptyState text={text.denied} />
      ) : isNotFound(error) ? (
        <EmptyState text={text.noSuchEvent} />
      ) : report ? (
        isEmpty ? (
          <EmptyState text={text.empty} />
        ) : (
          <Report report={report} />
        )
      ) : isPending ? (
        <Loading />
      ) : (
        <ErrorState prefix={text.loadError} error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}

function Report({ report }: { readonly report: NightReport }) {
  const { songs, people, peopleAt, talks, faults, goldMoved, goldTransactions, timeZone } = report;
  const heard = songs.reduce((sum, { heardSeconds }) => sum + heardSeconds, 0);
  const bars = peopleBars(peopleAt.map(({ at, came }) => ({ at: at ? timestampMs(at) : 0, came })));
  return (
    <div className="night-report grid shrink-0 items-start gap-3 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <Block title={text.songs} aside={songs.length > 0 && text.songsTold(songs.length, duration(heard))}>
        {songs.length === 0 ? <Nothing>{text.noSongs}</Nothing> : <Songs songs={songs} zone={timeZone} />}
      </Block>
      <div className="flex min-w-0 flex-col gap-3">
        <Block title={text.people} aside={people.toLocaleString("en")}>
          {people === 0 ? <Nothing>{text.noPeople}</Nothing> : <PeopleChart bars={bars} zone={timeZone} />}
        </Block>
        <Block title={text.talks}>
          {talks.length === 0 ? <Nothing>{text.noTalks}</Nothing> : <Talks talks={talks} />}
        </Block>
        <Block title={text.gold} aside={goldMoved.toLocaleString("en")}>
          <Nothing>{text.goldIn(goldTransactions)}</Nothing>
        </Block>
        <Block title={text.faults} aside={faults.length > 0 && faults.length.toLocaleString("en")}>
          {faults.length === 0 ? <Nothing>{text.noFaults}</Nothing> : <Faults faults={faults} zone={timeZone} />}
        </Block>
      </div>
    </div>
  );
}

function Songs({ songs, zone }: { readonly songs: readonly PlayedSong[]; readonly zone: string }) {
  return (
    <table className="w-full table-fixed text-left text-sm">
      <thead className="border-b text-xs text-muted">
        <tr>
          <th className="w-20 px-3 py-1.5 font-medium">{text.started}</th>
          <th className="px-3 py-1.5 font-medium">{text.song}</th>
          <th className="w-28 px-3 py-1.5 text-right font-medium">{text.heard}</th>
          <th className="w-40 px-3 py-1.5 font-medium max-md:hidden">{text.playlist}</th>
        </tr>
      </thead>
      <tbody>
        {songs.map(({ songId, startedAt, title, artist, heardSeconds, seconds, playlist, askedBy, isOn }) => (
          <tr key={`${songId} ${startedAt?.seconds}`} className="border-b align-top last:border-b-0">
            <td className="px-3 py-1.5 text-muted">{isOn ? text.now : time(startedAt, zone)}</td>
            <td className="px-3 py-1.5 wrap-anywhere">
              {title || text.untitled}
              <span className="block text-xs text-muted">
                {[artist, askedBy && text.askedBy(askedBy)].filter(Boolean).join(" · ")}
              </span>
            </td>
            <td className="px-3 py-1.5 text-right text-muted">{text.of(duration(heardSeconds), duration(seconds))}</td>
            <td className="px-3 py-1.5 wrap-anywhere text-muted max-md:hidden">{playlist}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Talks({ talks }: { readonly talks: readonly TalkReport[] }) {
  return (
    <table className="w-full table-fixed text-left text-sm">
      <thead className="border-b text-xs text-muted">
        <tr>
          <th className="px-3 py-1.5 font-medium">{text.talk}</th>
          <th className="w-14 px-3 py-1.5 text-right font-medium">{text.votes}</th>
          <th className="w-24 px-3 py-1.5 text-right font-medium">{text.feedback}</th>
        </tr>
      </thead>
      <tbody>
        {talks.map(({ talkId, title, speaker, votes, feedback, meanRating }) => (
          <tr key={talkId} className="border-b align-top last:border-b-0">
            <td className="px-3 py-1.5 wrap-anywhere">
              {title || text.untitled}
              <span className="block text-xs text-muted">{speaker}</span>
            </td>
            <td className="px-3 py-1.5 text-right">{votes.toLocaleString("en")}</td>
            <td className="px-3 py-1.5 text-right text-muted">
              {meanRating !== undefined && <span className="block text-fg">{text.rated(meanRating.toFixed(1))}</span>}
              {feedback > 0 ? text.answers(feedback) : text.noFeedback}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Faults({ faults, zone }: { readonly faults: readonly NightFault[]; readonly zone: string }) {
  return (
    <ul>
      {faults.map(({ kind, says, beganAt, endedAt }, i) => (
        <li key={i} className="border-b px-3 py-1.5 text-sm wrap-anywhere last:border-b-0">
          <span className="text-muted">{time(beganAt, zone)}</span> {says}{" "}
          <span className="text-muted">
            {beganAt && endedAt
              ? text.lasted(duration((timestampMs(endedAt) - timestampMs(beganAt)) / 1000))
              : (kind === "output" || kind === "sound") && text.lasts}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Block({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section aria-label={title} className="min-w-0 overflow-hidden rounded-lg border bg-surface">
      <h2 className="flex justify-between gap-3 border-b px-3 py-2 text-xs font-medium text-muted">
        {title} <span className="text-fg">{aside}</span>
      </h2>
      {children}
    </section>
  );
}

const Nothing = ({ children }: { readonly children: ReactNode }) => (
  <p className="p-3 text-sm text-muted">{children}</p>
);

/** Of a night that is still to come, talks that are only planned are nothing to report. */
function isNothing({ startsAt, songs, people, talks, goldTransactions, faults }: NightReport): boolean {
  const isToCome = (toDate(startsAt) ?? new Date()) > new Date();
  const told = isToCome ? talks.filter(({ votes, feedback }) => votes + feedback > 0) : talks;
  return songs.length + people + told.length + goldTransactions + faults.length === 0;
}

/** From when to when it was, and by whose clock where that is not the reader's own. */
function subtitleOf({ startsAt, endsAt, timeZone }: NightReport): string {
  const moments = [toDate(startsAt), toDate(endsAt)];
  const [from = "", to = ""] = moments.map((at) => at && dateTime(at, timeZone));
  return [text.subtitle(from, to), clockNote(timeZone, moments)].filter(Boolean).join(". ");
}

/** In the time zone of the event, or else of who reads it. */
const csvPath = ({ eventId, timeZone }: NightReport): string =>
  serverPath(`/api/night/${encodeURIComponent(eventId)}/report.csv?zone=${encodeURIComponent(timeZone || ownZone())}`);

const time = (at: NightReport["startsAt"], zone: string): string => (at ? timeOfDay(toDate(at)!, zone) : "");
/** Silence lasts 0:00. */
const duration = (seconds: number): string => (seconds >= 1 ? songDuration(seconds) : "0:00");
