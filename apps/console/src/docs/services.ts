import type { DescService } from "@bufbuild/protobuf";
import { AccountingService } from "@followspot/contract/accounting";
import { AuditService } from "@followspot/contract/audit";
import { AuthService } from "@followspot/contract/auth";
import { ChatService } from "@followspot/contract/chat";
import { DirectorService } from "@followspot/contract/director";
import { EventService } from "@followspot/contract/event";
import { GuestService } from "@followspot/contract/guest";
import { LightsService } from "@followspot/contract/lights";
import { MusicService } from "@followspot/contract/music";
import { NightService } from "@followspot/contract/night";
import { QueuesService } from "@followspot/contract/queues";
import { RecordingService } from "@followspot/contract/recording";
import { SoundService } from "@followspot/contract/sound";
import { TalkService } from "@followspot/contract/talk";
import { UserService } from "@followspot/contract/user";

/** Every service of the contract, in the order of Docs. */
export const SERVICES: readonly DescService[] = [
  UserService,
  AuthService,
  EventService,
  TalkService,
  MusicService,
  LightsService,
  ChatService,
  AccountingService,
  AuditService,
  DirectorService,
  GuestService,
  NightService,
  QueuesService,
  RecordingService,
  SoundService,
];
