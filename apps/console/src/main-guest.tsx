import "./guest/guest.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { GuestPage } from "./guest/guest-page.tsx";
import { loadTheRest } from "./guest/later-parts.ts";
import { Night } from "./guest/night.ts";
import { serverPath } from "./lib/base-path.ts";
import { applyTheme } from "./lib/theme.ts";

const LATER_MS = 4000;

applyTheme();
const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <GuestPage night={new Night()} />
    </StrictMode>,
  );
// Without it the page works as well; with it, it opens where there is no network.
if ("serviceWorker" in navigator && import.meta.env.PROD)
  void navigator.serviceWorker
    .register(serverPath("/me/worker.js"), { scope: serverPath("/me") })
    .catch(() => undefined);
// What comes later is fetched while there is a network: once loaded it stays as long as the page, and the worker keeps it.
addEventListener("load", () => setTimeout(loadTheRest, LATER_MS));
