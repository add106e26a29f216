import { Menu } from "@base-ui/react/menu";
import { callUnaryMethod } from "@connectrpc/connect-query";
import { AuditService } from "@followspot/contract/audit";
import { ChatService } from "@followspot/contract/chat";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Check } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import { chooseDensity, DENSITIES, density } from "../lib/density.ts";
import { lazyPart } from "../lib/lazy-part.ts";
import { RpcProvider } from "../lib/rpc-provider.tsx";
import { useStore } from "../lib/store.ts";
import { methodKey } from "../lib/list-source.ts";
import { strings } from "../lib/strings.ts";
import { transport } from "../lib/transport.ts";
import { chooseTheme, theme, THEMES } from "../lib/theme.ts";
import { MENU_ITEM, MenuPopup } from "../ui/menu.tsx";
import { useCan } from "../auth/can.ts";
import { useSession } from "../auth/session.ts";
import { signOut } from "../auth/sign-out.ts";
import { listenToThreads } from "../chat/listen-to-threads.ts";
import { keyMapStrings } from "./key-map.strings.ts";
import { overlay } from "./overlay.ts";

const SessionsDialog = lazyPart(() => import("../auth/sessions-dialog.tsx"), "SessionsDialog");

/** Menu of the signed-in user: name, chat, theme, sign-out. */
export function AccountMenu() {
  const user = useSession();
  const chosen = useStore(theme);
  const rows = useStore(density);
  const can = useCan();
  const navigate = useNavigate();
  const unread = useUnread(user.id);
  const [showsSessions, setShowsSessions] = useState(false);
  return (
    <>
      <Menu.Root>
        <Menu.Trigger className="relative grid size-7 shrink-0 place-items-center rounded-full border bg-raised text-xs font-medium hover:border-muted">
          <span aria-hidden>{initials(user.name)}</span>
          <span className="sr-only">
            {strings.account.label}: {user.name}
            {unread > 0 && `, ${strings.chat.unread(unread)}`}
          </span>
          {unread > 0 && (
            <span
              aria-hidden
              className="absolute -top-0.5 -right-0.5 size-2.5 rounded-full border border-bg bg-accent"
            />
          )}
        </Menu.Trigger>
        <MenuPopup>
          <div className="max-w-56 border-b px-2 pt-1 pb-2">
            <p className="truncate font-medium">{user.name}</p>
            <p className="truncate text-xs text-muted">{user.email || user.phone || user.roles.join(", ")}</p>
          </div>
          <Menu.Item className={MENU_ITEM} onClick={() => void navigate({ to: "/chat" })}>
            {strings.chat.title}
            {unread > 0 && <span className="ml-auto text-xs">{unread.toLocaleString("en")}</span>}
          </Menu.Item>
          <Menu.Separator className="my-1 h-px bg-border" />
          <Menu.RadioGroup value={chosen} onValueChange={chooseTheme} aria-label={strings.theme.label}>
            <Menu.Group>
              <Menu.GroupLabel className="px-2 pt-2 pb-1 text-xs text-muted">{strings.theme.label}</Menu.GroupLabel>
              {THEMES.map((each) => (
                <Choice key={each} value={each} label={strings.theme[each]} />
              ))}
            </Menu.Group>
          </Menu.RadioGroup>
          <Menu.RadioGroup value={rows} onValueChange={chooseDensity} aria-label={strings.density.label}>
            <Menu.Group>
              <Menu.GroupLabel className="px-2 pt-2 pb-1 text-xs text-muted">{strings.density.label}</Menu.GroupLabel>
              {DENSITIES.map((each) => (
                <Choice key={each} value={each} label={strings.density[each]} />
              ))}
            </Menu.Group>
          </Menu.RadioGroup>
          <Menu.Separator className="my-1 h-px bg-border" />
          {can(AuditService.method.listAuditEntries) && (
            <Menu.Item className={MENU_ITEM} onClick={() => void navigate({ to: "/log" })}>
              {strings.account.auditLog}
            </Menu.Item>
          )}
          <Menu.Item className={MENU_ITEM} onClick={() => overlay.set("keys")}>
            {keyMapStrings.open}
            <kbd className="ml-auto font-sans text-xs">?</kbd>
          </Menu.Item>
          <Menu.Item className={MENU_ITEM} onClick={() => setShowsSessions(true)}>
            {strings.account.sessions}
          </Menu.Item>
          <Menu.Item className={MENU_ITEM} onClick={() => void signOut()}>
            {strings.account.signOut}
          </Menu.Item>
        </MenuPopup>
      </Menu.Root>
      {showsSessions && (
        <Suspense>
          <RpcProvider>
            <SessionsDialog onClose={() => setShowsSessions(false)} />
          </RpcProvider>
        </Suspense>
      )}
    </>
  );
}

function Choice({ value, label }: { readonly value: string; readonly label: string }) {
  return (
    <Menu.RadioItem value={value} className={MENU_ITEM}>
      {label}
      <Menu.RadioItemIndicator className="ml-auto">
        <Check aria-hidden size={14} />
      </Menu.RadioItemIndicator>
    </Menu.RadioItem>
  );
}

/** Returns the number of threads with unread messages; 0 until the answer arrives. */
function useUnread(userId: string): number {
  const cache = useQueryClient();
  useEffect(() => listenToThreads(cache, userId), [cache, userId]);
  const method = ChatService.method.countUnread;
  const counted = useQuery({
    queryKey: [...methodKey(method), "threads"],
    queryFn: async ({ signal }) => (await callUnaryMethod(transport, method, {}, { signal })).threads,
    retry: false,
  });
  return counted.data ?? 0;
}

function initials(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  return (
    [words[0], words.length > 1 ? words.at(-1) : ""]
      .map((word) => [...(word ?? "")][0] ?? "")
      .join("")
      .toUpperCase() || "?"
  );
}
