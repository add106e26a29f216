import type { JobOutcome } from "@followspot/contract";
import type { AuthPorts } from "../community/auth/auth.routes.ts";
import type { DeliveryChannels } from "../community/auth/delivery/delivery-channels.ts";
import type { PublicEventPorts } from "../night/guest/public-event.ts";
import type { FixtureLibrary } from "../lights/fixture-library.ts";
import type { ReadSongFile } from "../lights/plan-events.ts";
import type { FilmPorts } from "../songs/library/film.routes.ts";
import type { SongFiles } from "../songs/catalog/song-files.ts";
import type { VideoPorts } from "../songs/library/video.routes.ts";
import type { PreflightPorts } from "../night/preflight-facts.ts";
import type { AcmeCertificate } from "../platform/http/acme-certificate.ts";
import type { Sql } from "../platform/database/database.ts";
import type { DatabaseWatch } from "../platform/database/database-watch.ts";
import type { BrokerState } from "../platform/http/health.http.ts";
import type { Https } from "../platform/http/https.ts";
import type { Metrics } from "../platform/process/metrics.ts";
import type { Settings } from "../platform/settings.ts";
import type { SpanSink } from "../platform/process/traces.ts";
import type { BrokerPort } from "../operations/queues/broker-port.ts";
import type { StageLinkPorts } from "./stage-link/stage-link.http.ts";

/** What the API needs from its process. */
export interface ApiPorts {
  readonly settings: Settings;
  readonly sql: Sql;
  readonly database: DatabaseWatch;
  /** Signs tokens, codes and links; at least 32 bytes. */
  readonly secret: Uint8Array;
  readonly files: SongFiles;
  readonly fixtures: FixtureLibrary;
  readonly delivery: AuthPorts["delivery"];
  /** Channels by which sign-in codes are sent. */
  readonly channels: DeliveryChannels;
  readonly metrics: Metrics;
  readonly broker: BrokerPort;
  readonly brokerState: () => BrokerState;
  /** Returns faults of the store of song files, as sentences. */
  readonly storeFaults: () => readonly string[];
  /** Returns warnings of the process for /health, as sentences. */
  readonly warnings: () => readonly string[];
  readonly https?: Https | undefined;
  /** Certificate for a public name. */
  readonly acme?: AcmeCertificate | undefined;
  readonly spans?: SpanSink | undefined;
  /** Called with each imported song. */
  readonly onImported: (songId: string) => void;
  /** Called with the outcome of a job on another machine. */
  readonly onSettled: (report: JobOutcome) => void;
  /** Called after a user started or stopped the demo night. */
  readonly onDemoNight: () => void;
  /** Called after a stage screen or its link changed. */
  readonly onScreenChange?: (screenId: string) => void;
  readonly warn: (message: string) => void;
  /** Replaces parts of this machine, in tests. */
  readonly instead?: {
    readonly askStage?: StageLinkPorts["ask"];
    readonly readSongFile?: ReadSongFile;
    readonly videos?: VideoPorts;
    readonly films?: Partial<FilmPorts>;
    readonly preflight?: Partial<PreflightPorts>;
    readonly publicEvents?: Pick<PublicEventPorts, "cachedMs">;
    /** Whether sign-in codes can be sent. */
    readonly canSend?: boolean;
    /** Views of public event pages per network and minute. */
    readonly maxViews?: number;
    /** Folder of the built console. */
    readonly consoleDist?: string;
  };
}
