import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { JobOutcome } from "@followspot/contract";
import type { SongFiles } from "../songs/catalog/song-files.ts";
import { SongPipeline } from "../songs/processing/song-pipeline.ts";
import { brokerFlaw, deniesAdmin, isBelowFloor } from "../platform/broker/broker-floor.ts";
import { areSeveral } from "../platform/database/communities.ts";
import type { Sql } from "../platform/database/database.ts";
import type { BrokerState } from "../platform/http/health.http.ts";
import { inBackground } from "../platform/process/in-background.ts";
import type { Log } from "../platform/process/log.ts";
import { BROKER_REFUSES, connectBroker, ensureStreams, leaveBroker, type Broker } from "../platform/broker/nats.ts";
import { OutboxRelay } from "../platform/broker/outbox-relay.ts";
import { required, type Settings } from "../platform/settings.ts";
import { announcePresence } from "../operations/queues/presence.ts";
import type { LiveSide } from "./live-side.ts";

const TRY_AGAIN_MS = 2000;

export interface BrokerSidePorts {
  readonly settings: Settings;
  readonly sql: Sql;
  readonly files: SongFiles;
  /** Called with the outcome of a job. */
  readonly onSettled: (report: JobOutcome) => void;
  readonly log: Pick<Log, "info">;
  readonly warn: (message: string) => void;
}

/**
 * Connection of the API to the message broker, with everything that needs it. The broker may become available later:
 * until then the API answers, and accepted songs wait in the database.
 */
export class BrokerSide {
  readonly #ports: BrokerSidePorts;
  #broker: Broker | undefined;
  #relay: OutboxRelay | undefined;
  #isRefusing = false;
  #isStopping = false;
  /** Known vulnerability of the broker. */
  #flaw: ReturnType<typeof brokerFlaw>;
  readonly #closers: (() => Promise<unknown> | unknown)[] = [];

  constructor(ports: BrokerSidePorts) {
    this.#ports = ports;
  }

  /** Broker in use; undefined until it was joined. */
  get broker(): Broker | undefined {
    return this.#broker;
  }

  get state(): BrokerState {
    const isUp = this.#broker?.isUp() ?? false;
    const unusedBecause = this.#flaw?.isRefused ? this.#flaw.says : undefined;
    const isStoring = (this.#relay?.isStoring ?? true) && (this.#broker?.hasStreams() ?? true);
    return { isUp, isStoring, isRefusing: this.#isRefusing && !isUp, unusedBecause };
  }

  /** Warnings for /health: the broker has a vulnerability and is used nevertheless. */
  get warnings(): readonly string[] {
    return this.#flaw && !this.#flaw.isRefused ? [this.#flaw.says] : [];
  }

  /** Connects, waits until the broker may be used, and starts the song pipeline, the outbox relay and live events. */
  async join(live: LiveSide): Promise<void> {
    const { sql, files, onSettled, warn } = this.#ports;
    const found = await this.#connect(live);
    this.#closers.push(() => leaveBroker(found));
    if (!(await this.#waitUntilUsable(found))) return;
    this.#broker = found;
    await this.#prepareStreams(found);
    const id = randomUUID();
    const pipeline = new SongPipeline(sql, found, files, warn, { onSettled });
    const relay = (this.#relay = new OutboxRelay(sql, found, warn));
    const stopFollowing = live.follow(found);
    pipeline.start();
    relay.start();
    const leave = announcePresence(found.connection, () => ({ id, kind: "api" }));
    this.#closers.push(
      leave,
      stopFollowing,
      () => relay.close(),
      () => pipeline.close(),
    );
  }

  /** Ends a join in progress. */
  stop(): void {
    this.#isStopping = true;
  }

  /** Closes in reverse order: the connection last, when nothing uses it any more. */
  async close(): Promise<void> {
    for (const close of this.#closers.reverse()) await close();
  }

  async #connect(live: LiveSide): Promise<Broker> {
    const { settings, log, warn } = this.#ports;
    const found = await connectBroker(required(settings, "NATS_URL"), "main-api", {
      replicas: settings.FOLLOWSPOT_NATS_REPLICAS,
      onReturn: () => {
        this.#isRefusing = false;
        inBackground("preparing the streams", this.#prepareStreams(found), warn);
      },
      onRefusal: () => {
        this.#isRefusing = true;
        warn(BROKER_REFUSES);
      },
      onStreamsLost: () => {
        warn("streams of the broker were deleted: they are created again");
        inBackground("preparing the streams", ensureStreams(found), warn);
      },
      onSilence: () => {
        warn("the broker does not answer: songs wait, and news come late");
        live.events.sayAll("unavailable", "News come late: the server's message broker does not answer");
      },
      onSilenceOver: () => {
        log.info("the broker is back");
        live.onGap();
      },
    });
    this.#isRefusing = false;
    return found;
  }

  /** @returns false if this server stops before */
  async #waitUntilUsable(found: Broker): Promise<boolean> {
    for (;;) {
      this.#flaw = await this.#readFlaw(found);
      if (this.#flaw) this.#ports.warn(this.#flaw.says);
      if (!this.#flaw?.isRefused) return true;
      await pause(TRY_AGAIN_MS);
      if (this.#isStopping) return false;
    }
  }

  /** Returns the known vulnerability of a broker; the check is repeated once it was updated. */
  async #readFlaw({ connection }: Broker) {
    const { settings, sql } = this.#ports;
    const version = connection.info?.version ?? "";
    return brokerFlaw({
      version,
      isOwn: settings.FOLLOWSPOT_OWN_BROKER === "1",
      areSeveral: await areSeveral(sql).catch(() => true), // the database may be away
      deniesAdmin: isBelowFloor(version) && (await deniesAdmin(connection)),
    });
  }

  /** Retries until it succeeds: before that no event is published and no song moves. */
  async #prepareStreams(found: Broker): Promise<void> {
    while (!this.#isStopping) {
      try {
        return await ensureStreams(found);
      } catch (error) {
        this.#ports.warn(`the streams could not be prepared: ${(error as Error).message}`);
        await pause(TRY_AGAIN_MS);
      }
    }
  }
}
