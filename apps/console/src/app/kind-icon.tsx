import {
  CalendarDays,
  Focus,
  Lightbulb,
  ListMusic,
  Mic,
  Music,
  PanelTop,
  Play,
  Plus,
  User,
  Zap,
  type LucideIcon,
} from "lucide-react";
import type { Command } from "./find-commands.ts";
import { isPlayCommand } from "./night-commands.ts";
import { paletteStrings } from "./palette.strings.ts";

const { kinds } = paletteStrings;

/** By the word for the kind: recent choices are kept with nothing else. */
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

/** What a line of the palette is, before its words. */
export function KindIcon({ command }: { readonly command: Command }) {
  const Icon = isPlayCommand(command) ? Play : (ICONS[command.kind] ?? PanelTop);
  return <Icon aria-hidden size={14} className="shrink-0 text-muted" />;
}
