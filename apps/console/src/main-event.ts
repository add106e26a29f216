import "./event-page/event-page.css";
import { showEvent } from "./event-page/event-page.ts";

const root = document.getElementById("root");
if (root) void showEvent(root);
// A link pasted into the same tab only changes the fragment.
addEventListener("hashchange", () => location.reload());
