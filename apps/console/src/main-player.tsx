import "./ui/tokens.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { applyTheme } from "./lib/theme.ts";
import { PlayerPage } from "./pa-player/player-page.tsx";

applyTheme();
const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <PlayerPage />
    </StrictMode>,
  );
