import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { Suspense, useEffect, useRef, useState } from "react";
import { DeskHeader } from "../desk/desk-header.tsx";
import { queryClient } from "../lib/query-client.ts";
import { RpcProvider } from "../lib/rpc-provider.tsx";
import { useStore } from "../lib/store.ts";
import { strings } from "../lib/strings.ts";
import { liveState } from "../realtime/live-state.ts";
import { cx } from "../ui/class-names.ts";
import { Loading } from "../ui/states.tsx";
import { Status, type Tone } from "../ui/status.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { overlay } from "./overlay.ts";
import { PartBoundary, ScreenBoundary } from "./part-boundary.tsx";
import { preloadWhenIdle, type Preloads } from "./preload-when-idle.ts";

const TABS = [
  { to: "/users", text: strings.tabs.users },
  { to: "/events", text: strings.tabs.events },
  { to: "/music", text: strings.tabs.music },
  { to: "/lights", text: strings.tabs.lights },
  { to: "/workers", text: strings.tabs.workers },
  { to: "/docs", text: strings.tabs.docs },
] as const;

const TAB = "relative flex h-11 shrink-0 items-center gap-2 px-2.5 text-sm whitespace-nowrap -outline-offset-2";
const IDLE = { className: cx(TAB, "text-muted hover:text-fg") };
const ACTIVE = {
  className: cx(
    TAB,
    "text-fg font-medium after:absolute after:inset-x-2.5 after:bottom-0 after:h-0.5 after:rounded-full after:bg-accent",
  ),
};

/** Layout of the console: tab bar above, screen below. A failure in one does not affect the other. */
export function Shell({ screens }: { readonly screens: readonly Preloads[] }) {
  const tabs = useRef<HTMLElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });
  useEffect(() => showActiveTab(tabs.current), [path]);
  useEffect(() => {
    // Content beside the tabs loads later and takes space from them.
    const watch = new ResizeObserver(() => showActiveTab(tabs.current));
    if (tabs.current) watch.observe(tabs.current);
    return () => watch.disconnect();
  }, []);
  return (
    <div className="flex h-dvh flex-col overflow-hidden">
      <a
        href="#content"
        className="sr-only z-60 rounded-md bg-accent px-3 py-1.5 text-accent-fg focus:not-sr-only focus:fixed focus:top-1.5 focus:left-2"
      >
        {strings.skipToContent}
      </a>
      <header className="flex h-11 shrink-0 items-center gap-2 border-b bg-surface pr-3 pl-1.5 sm:gap-3 sm:pl-3">
        <nav
          ref={tabs}
          aria-label={strings.tabs.label}
          className="flex min-w-0 flex-1 overflow-x-auto [scrollbar-width:none]"
        >
          <Link to="/" activeOptions={{ exact: true, includeSearch: false }} activeProps={ACTIVE} inactiveProps={IDLE}>
            <Mark />
            <span className="font-semibold text-fg max-sm:sr-only">{strings.product}</span>
          </Link>
          {TABS.map((tab) => (
            <Link
              key={tab.to}
              to={tab.to}
              activeOptions={{ includeSearch: false }}
              activeProps={ACTIVE}
              inactiveProps={IDLE}
            >
              {tab.text}
            </Link>
          ))}
        </nav>
        <PaletteButton />
        <PartBoundary resetKey={path} fallback={() => null}>
          <DeskHeader />
        </PartBoundary>
        <LivePill />
        <PartBoundary resetKey={path} fallback={NoAccountMenu}>
          <AccountMenu />
        </PartBoundary>
      </header>
      <div id="content" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
        <ScreenBoundary>
          <Suspense fallback={<ScreenPending />}>
            <RpcProvider>
              <Outlet />
              <ReadAhead screens={screens} />
            </RpcProvider>
          </Suspense>
        </ScreenBoundary>
      </div>
    </div>
  );
}

/**
 * Preloads the other screens. Rendered beside a screen, inside its Suspense boundary, so that it starts after that
 * screen has loaded its file and data.
 */
function ReadAhead({ screens }: { readonly screens: readonly Preloads[] }) {
  useEffect(() => preloadWhenIdle(screens, () => queryClient.isFetching() > 0), [screens]);
  return null;
}

/**
 * Scrolls the open tab into view on a narrow screen. It sets the position itself, because `scrollIntoView` also moves
 * the start of the Tab order past the skip link.
 */
function showActiveTab(tabs: HTMLElement | null): void {
  const active = tabs?.querySelector<HTMLElement>("[aria-current=page]");
  if (!tabs || !active) return;
  const left = active.offsetLeft - tabs.offsetLeft;
  const right = left + active.offsetWidth;
  const isInSight = left >= tabs.scrollLeft && right <= tabs.scrollLeft + tabs.clientWidth;
  // Centered, so that the tabs on both sides show that there are more.
  if (!isInSight) tabs.scrollLeft = (left + right - tabs.clientWidth) / 2;
}

/** Placeholder with the size of the menu, shown if the menu fails. */
const NoAccountMenu = () => <span className="size-7" />;

/** Button that opens the command palette, like Ctrl+K. */
function PaletteButton() {
  return (
    <button
      type="button"
      onClick={() => overlay.set("palette")}
      className="flex h-7 shrink-0 items-center gap-2 rounded-md border px-1.5 text-xs text-muted hover:border-muted lg:w-48 lg:px-2"
    >
      <Search aria-hidden size={14} />
      <span className="flex-1 text-left max-lg:sr-only">{strings.palette.open}</span>
      <kbd aria-hidden className="font-sans max-lg:hidden">
        Ctrl K
      </kbd>
    </button>
  );
}

const LIVE_TONES: Record<keyof typeof strings.live, Tone> = { live: "ok", reconnecting: "wait", offline: "off" };

function LivePill() {
  const state = useStore(liveState);
  const [wasLive, setWasLive] = useState(false);
  if (state === "live" && !wasLive) setWasLive(true);
  const word = state === "reconnecting" && !wasLive ? strings.connecting : strings.live[state];
  return (
    <span role="status" className="text-xs text-muted">
      <Status tone={LIVE_TONES[state]}>
        <span className="max-sm:sr-only">{word}</span>
      </Status>
    </span>
  );
}

function Mark() {
  return (
    <svg aria-hidden width="16" height="16" viewBox="0 0 16 16" className="text-accent">
      <circle cx="5" cy="5" r="4" fill="currentColor" />
      <path d="M8.6 7.2 15 11.5 11.5 15 7.2 8.6Z" fill="currentColor" opacity=".55" />
    </svg>
  );
}

export function ScreenPending() {
  return (
    <main className="p-4">
      <Loading />
    </main>
  );
}
