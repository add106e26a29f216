import { lazy } from "react";

const parts = {
  chat: () => import("./chat-tab.tsx"),
  me: () => import("./me-tab.tsx"),
  gold: () => import("./gold-dialog.tsx"),
  code: () => import("../ui/qr-code.tsx"),
};

// Parts that are not visible first are loaded after the page.
export const ChatTab = lazy(async () => ({ default: (await parts.chat()).ChatTab }));
export const MeTab = lazy(async () => ({ default: (await parts.me()).MeTab }));
export const GoldDialog = lazy(async () => ({ default: (await parts.gold()).GoldDialog }));
export const QrCode = lazy(async () => ({ default: (await parts.code()).QrCode }));

/** Preloads all parts. A part that fails to load is loaded again when it is shown. */
export function loadTheRest(): void {
  for (const load of Object.values(parts)) load().catch(() => undefined);
}
