import "./stage-page/stage-page.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { StagePage } from "./stage-page/stage-page.tsx";

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <StagePage />
    </StrictMode>,
  );
