import "./ui/console.css";
import { readScreen } from "./app/screens.ts";
import { requestSessionAhead } from "./auth/session-request.ts";
import { applyTheme } from "./lib/theme.ts";

// Small, so that it runs while the console is still on its way: what the first picture needs is asked for at once.
applyTheme();
requestSessionAhead();
readScreen(location.pathname);
void import("./start.tsx");
