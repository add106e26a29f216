import "./ui/console.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { newKey } from "./lib/new-key.ts";
import { applyTheme } from "./lib/theme.ts";
import { machine } from "./pa-player/machine.ts";
import { PaPlayer } from "./pa-player/pa-player.ts";
import { PlayerPage } from "./pa-player/player-page.tsx";

applyTheme();
// The page is the player: it plays from its first moment to its last, whatever is drawn.
const key = /^#([A-Za-z0-9_-]{10,100})$/.exec(location.hash)?.[1];
const { id, name } = machine.get();
// Two tabs of one machine are two players.
const page = `${id}.${newKey().slice(0, 8)}`;
const player = key ? new PaPlayer({ key, page, name, machine: () => machine.get() }) : undefined;
// Another link put into the same tab changes nothing but what stands behind the stroke.
addEventListener("hashchange", () => location.reload());

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <PlayerPage player={player} />
    </StrictMode>,
  );
