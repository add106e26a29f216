import { useQuery } from "@connectrpc/connect-query";
import { UserService, type User } from "@followspot/contract/user";
import type { ReactNode } from "react";
import { GoldPanel } from "../accounting/gold-panel.tsx";
import { History } from "../audit/history-drawer.tsx";
import { SessionList } from "../auth/session-list.tsx";
import { useCan } from "../auth/can.ts";
import { PersonThreads } from "../chat/person-threads.tsx";
import { PersonEvents } from "../event/person-events.tsx";
import { SpeakerTalks } from "../talk/speaker-talks.tsx";
import { Drawer } from "../ui/drawer.tsx";
import { ErrorState, Loading } from "../ui/states.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { PersonProfile } from "./person-profile.tsx";
import { tabsFor, type PersonTab } from "./person-tabs.ts";
import { userStrings } from "./user.strings.ts";

const text = userStrings.person;

/** Drawer with all data of one user. Shows only the tabs that the viewer has permission for. */
export function PersonDrawer({
  userId,
  known,
  tab = "profile",
  onTab,
  onEdit,
  onClose,
  children,
}: {
  readonly userId: string;
  /** User as in the list row, shown until the current data is loaded. */
  readonly known: User | undefined;
  readonly tab: PersonTab | undefined;
  readonly onTab: (tab: PersonTab) => void;
  readonly onEdit: (user: User) => void;
  readonly onClose: () => void;
  /** Dialogs on top of the drawer. */
  readonly children?: ReactNode;
}) {
  const can = useCan();
  const { data, error, refetch } = useQuery(UserService.method.getUser, { userId });
  const user = data?.user ?? known;
  const panels = user && panelsOf(user, onEdit);
  return (
    <Drawer title={user?.name || text.title} onClose={onClose}>
      {panels ? (
        <Tabs
          label={text.tabsLabel}
          value={tab}
          onChange={onTab}
          tabs={tabsFor(can).map((value) => ({ value, label: text.tabs[value], panel: panels[value] }))}
        />
      ) : error ? (
        <ErrorState prefix={text.loadError} error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading rows={4} />
      )}
      {children}
    </Drawer>
  );
}

function panelsOf(user: User, onEdit: (user: User) => void): Readonly<Record<PersonTab, () => ReactNode>> {
  const { id: userId, name, deletedAt } = user;
  return {
    profile: () => <PersonProfile user={user} onEdit={() => onEdit(user)} />,
    events: () => <PersonEvents userId={userId} />,
    talks: () => <SpeakerTalks userId={userId} />,
    gold: () => <GoldPanel holder={{ id: userId, name, isDeleted: deletedAt !== undefined }} />,
    chats: () => <PersonThreads userId={userId} />,
    sessions: () => <SessionList userId={userId} />,
    log: () => <History target={`user ${userId}`} />,
  };
}
