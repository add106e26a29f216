import "./ui/console.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { tellTheme } from "./app/theme-cookie.ts";
import { applyTheme } from "./lib/theme.ts";

applyTheme();
tellTheme();
const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
