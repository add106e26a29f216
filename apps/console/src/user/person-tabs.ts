import type { DescMethod } from "@bufbuild/protobuf";
import { AccountingService } from "@followspot/contract/accounting";
import { AuditService } from "@followspot/contract/audit";
import { ChatService } from "@followspot/contract/chat";
import { EventService } from "@followspot/contract/event";
import { TalkService } from "@followspot/contract/talk";
import { UserService } from "@followspot/contract/user";

/**
 * Tabs of the user drawer. Each maps to the method that a viewer must be allowed to call to see the tab. If members may call a
 * tab's own method for themselves, the entry is an Admin-only method, because only Admins may read it for other users.
 */
const TABS = {
  profile: UserService.method.listUsers,
  events: EventService.method.listPersonEvents,
  talks: TalkService.method.listTalks,
  gold: AccountingService.method.processTransaction,
  chats: ChatService.method.listAllThreads,
  sessions: UserService.method.listUsers,
  log: AuditService.method.listAuditEntries,
} as const satisfies Record<string, DescMethod>;

export type PersonTab = keyof typeof TABS;

export const PERSON_TABS = Object.keys(TABS) as readonly PersonTab[];

export const tabsFor = (can: (method: DescMethod) => boolean): readonly PersonTab[] =>
  PERSON_TABS.filter((tab) => can(TABS[tab]));
