import type { DescService } from "@bufbuild/protobuf";
import { AccountingService } from "./gen/followspot/accounting/v1/accounting_pb.js";
import { AuditService } from "./gen/followspot/audit/v1/audit_pb.js";
import { AuthService } from "./gen/followspot/auth/v1/auth_pb.js";
import { ChatService } from "./gen/followspot/chat/v1/chat_pb.js";
import { DirectorService } from "./gen/followspot/director/v1/director_pb.js";
import { EventService } from "./gen/followspot/event/v1/event_pb.js";
import { FirstStepsService } from "./gen/followspot/firststeps/v1/firststeps_pb.js";
import { GuestService } from "./gen/followspot/guest/v1/guest_pb.js";
import { LightsService } from "./gen/followspot/lights/v1/lights_pb.js";
import { MusicService } from "./gen/followspot/music/v1/music_pb.js";
import { NightService } from "./gen/followspot/night/v1/night_pb.js";
import { QueuesService } from "./gen/followspot/queues/v1/queues_pb.js";
import { RecordingService } from "./gen/followspot/recording/v1/recording_pb.js";
import { SoundService } from "./gen/followspot/sound/v1/sound_pb.js";
import { TalkService } from "./gen/followspot/talk/v1/talk_pb.js";
import { UserService } from "./gen/followspot/user/v1/user_pb.js";
import { VenueService } from "./gen/followspot/venue/v1/venue_pb.js";

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
  FirstStepsService,
  QueuesService,
  RecordingService,
  SoundService,
  VenueService,
];
