import {
  BookOpen,
  Cable,
  CalendarDays,
  Cog,
  Focus,
  History,
  LampDesk,
  LayoutDashboard,
  Lightbulb,
  ListChecks,
  ListMusic,
  MessageSquare,
  Mic,
  Moon,
  Music,
  PanelTop,
  Play,
  Plus,
  Printer,
  Projector,
  Route,
  SlidersVertical,
  Timer,
  User,
  Users,
  Zap,
  type LucideIcon,
} from "lucide-react";
import { strings } from "../lib/strings.ts";
import type { Command } from "./find-commands.ts";
import { isPlayCommand } from "./night-commands.ts";
import { paletteStrings } from "./palette.strings.ts";

const { kinds } = paletteStrings;

/** Icons by the label of a kind, because stored recent choices contain nothing else. */
const ICONS: Readonly<Record<string, LucideIcon>> = {
  [kinds.here]: Focus,
  [kinds.screen]: PanelTop,
  [kinds.new]: Plus,
  [kinds.action]: Zap,
  [kinds.person]: User,
  [kinds.event]: CalendarDays,
  [kinds.talk]: Mic,
  [kinds.song]: Music,
  [kinds.light]: Lightbulb,
  [kinds.playlist]: ListMusic,
};

/** Icons of screens by label. */
const SCREEN_ICONS: Readonly<Record<string, LucideIcon>> = {
  [strings.product]: LayoutDashboard,
  [strings.tabs.users]: Users,
  [strings.tabs.events]: CalendarDays,
  [strings.tabs.music]: Music,
  [strings.tabs.lights]: Lightbulb,
  [strings.tabs.workers]: Cog,
  [strings.tabs.docs]: BookOpen,
  [strings.account.auditLog]: History,
  [strings.chat.title]: MessageSquare,
  [paletteStrings.playlists]: ListMusic,
  [paletteStrings.fixtures]: LampDesk,
  [paletteStrings.outputs]: Cable,
  [paletteStrings.calibration]: Timer,
  [paletteStrings.patchSheet]: Printer,
  [paletteStrings.desk]: SlidersVertical,
  [paletteStrings.tonight]: Moon,
  [paletteStrings.preflight]: ListChecks,
  [paletteStrings.rehearsal]: Route,
  [paletteStrings.stageScreen]: Projector,
};

/** Icon for the kind of an entry in the command palette. */
export function KindIcon({ command }: { readonly command: Command }) {
  const ofScreen = command.kind === kinds.screen ? SCREEN_ICONS[command.text] : undefined;
  const Icon = isPlayCommand(command) ? Play : (ofScreen ?? ICONS[command.kind] ?? PanelTop);
  return <Icon aria-hidden size={14} className="shrink-0 text-muted" />;
}
