import { CalendarDays, MessageCircle, Music2, QrCode as CodeIcon, User } from "lucide-react";
import { Suspense, useEffect, useState, type ComponentType } from "react";
import { useStore } from "../lib/store.ts";
import { CodeTab } from "./code-tab.tsx";
import { Guard } from "./guard.tsx";
import { guestStrings as text } from "./guest.strings.ts";
import { ChatTab, MeTab } from "./later-parts.ts";
import type { Night } from "./night.ts";
import { Button } from "./parts.tsx";
import { SignIn } from "./sign-in.tsx";
import { SongsTab } from "./songs-tab.tsx";
import { TAB_NAMES, type Tab, type TabProps } from "./tabs.ts";
import { clock, when } from "./times.ts";
import { TonightTab } from "./tonight-tab.tsx";
import { useNow } from "./use-now.ts";

const TABS: Readonly<Record<Tab, ComponentType<TabProps>>> = {
  tonight: TonightTab,
  code: CodeTab,
  songs: SongsTab,
  chat: ChatTab,
  me: MeTab,
};
const ICONS = { tonight: CalendarDays, code: CodeIcon, songs: Music2, chat: MessageCircle, me: User };
/** Page of guests, for phones: QR code, program, songs, chat and gold. */
export function GuestPage({ night }: { readonly night: Night }) {
  const { state, problem } = useStore(night.view);
  if (state === "signed-out") return <SignIn onDone={() => void night.refresh()} />;
  if (state === "ready") return <Tabs night={night} />;
  return (
    <main className="grid min-h-dvh place-content-center gap-3 p-6 text-center text-muted">
      <p role="status">{problem || text.loading}</p>
      {problem && <Button onClick={() => void night.refresh()}>{text.retry}</Button>}
    </main>
  );
}

function Tabs({ night }: { readonly night: Night }) {
  const [tab, setTab] = useTab();
  const Shown = TABS[tab];
  return (
    <div className="mx-auto flex h-dvh w-full max-w-xl flex-col text-[15px] leading-5.5">
      <Head night={night} onTab={setTab} />
      <main className="flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto px-4 pb-4">
        <Guard key={tab}>
          <Suspense fallback={<p className="text-muted">{text.loading}</p>}>
            <Shown night={night} onTab={setTab} />
          </Suspense>
        </Guard>
      </main>
      <nav aria-label={text.title} className="grid grid-cols-5 border-t bg-surface pb-[env(safe-area-inset-bottom)]">
        {TAB_NAMES.map((each) => {
          const Icon = ICONS[each];
          return (
            <a
              key={each}
              href={`#${each}`}
              aria-current={each === tab ? "page" : undefined}
              className="flex min-h-14 flex-col items-center justify-center gap-0.5 border-t-2 border-transparent text-xs text-muted aria-[current]:border-accent aria-[current]:font-semibold aria-[current]:text-fg"
            >
              <Icon aria-hidden size={20} />
              {text.tabs[each]}
            </a>
          );
        })}
      </nav>
    </div>
  );
}

function Head({ night, onTab }: TabProps) {
  const { night: mine, problem, live } = useStore(night.view);
  const event = mine?.event;
  const now = useNow();
  const isOn = event?.startsAt !== undefined && Date.parse(event.startsAt) <= now;
  const time = event && (isOn ? text.event.until(clock(event.endsAt)) : text.event.starts(when(event.startsAt)));
  return (
    <header className="flex flex-wrap items-center gap-3 px-4 pt-[max(1rem,env(safe-area-inset-top))] pb-4">
      <div className="min-w-0 flex-1">
        <h1 className="truncate text-lg font-semibold">{event?.title ?? text.title}</h1>
        <p className="text-sm wrap-anywhere text-muted">{[event?.location, time].filter(Boolean).join(" · ")}</p>
      </div>
      <button type="button" className="guest-button rounded-full" onClick={() => onTab("me")}>
        <span aria-hidden className="size-2.5 rounded-full bg-warn" /> {text.event.gold(Number(mine?.balance ?? 0))}
      </button>
      {(problem || live === "offline") && (
        <p role="status" className="w-full rounded-lg border border-warn px-3 py-2 text-sm text-warn">
          {text.away}
        </p>
      )}
    </header>
  );
}

/** Keeps the tab in the URL fragment, so that Back works and links can open a tab. */
function useTab(): readonly [Tab, (tab: Tab) => void] {
  const read = (): Tab => {
    const named = location.hash.slice(1);
    return TAB_NAMES.find((each) => each === named) ?? "tonight";
  };
  const [tab, setTab] = useState(read);
  useEffect(() => {
    const follow = () => setTab(read());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return [tab, (next) => (location.hash = next)];
}
