import { useMutation, useQuery } from "@connectrpc/connect-query";
import { MusicService, type ColorPalette, type LEDMatch, type Song } from "@followspot/contract/music";
import { keepPreviousData } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useCan } from "../auth/can.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { sayWhy } from "../ui/delete-dialog.tsx";
import { Dialog, DialogBody } from "../ui/dialog.tsx";
import { SelectField } from "../ui/fields.tsx";
import { Options } from "../ui/options.tsx";
import { EmptyState, ErrorState, Loading } from "../ui/states.tsx";
import { showToast } from "../ui/toast.tsx";
import { musicStrings } from "./music.strings.ts";

const rpc = MusicService.method;
const text = musicStrings.palette;
/** Number of alternatives shown before "more" is pressed. */
const FEW = 6;
const ALL = 100;

/** Dialog for the colors of a song's show: the cover's colors, the harmony, and the palette in use. */
export function PaletteDialog({ song, onClose }: { readonly song: Song; readonly onClose: () => void }) {
  const palette = useQuery(rpc.getSongColorPalette, { songId: song.id }, { staleTime: 0 });
  return (
    <Dialog title={text.title(song.title || musicStrings.untitled)} open onClose={onClose} wide>
      <DialogBody>
        {palette.isPending && <Loading rows={4} />}
        {palette.isError && (
          <ErrorState prefix={text.loadError} error={palette.error} onRetry={() => void palette.refetch()} />
        )}
        {palette.data && !palette.data.palette && <EmptyState text={palette.data.message} />}
        {palette.data?.palette && (
          <PaletteChoice song={song} palette={palette.data.palette} onChange={() => void palette.refetch()} />
        )}
      </DialogBody>
    </Dialog>
  );
}

interface ChoiceProps {
  readonly song: Song;
  readonly palette: ColorPalette;
  readonly onChange: () => void;
}

function PaletteChoice({ song, palette, onChange }: ChoiceProps) {
  const can = useCan();
  const [limit, setLimit] = useState(FEW);
  const others = useQuery(
    rpc.getLEDPaletteAlternatives,
    { songId: song.id, limit },
    { staleTime: 0, placeholderData: keepPreviousData },
  );
  const settled = { onSettled: () => void Promise.all([onChange(), others.refetch()]), onError: sayWhy };
  const regenerate = useMutation(rpc.regenerateColorPalette, settled);
  const select = useMutation(rpc.selectLEDPalette, settled);
  const selected = select.isPending ? select.variables.paletteId : palette.selectedPaletteId;
  const mayChoose = can(rpc.selectLEDPalette) && !select.isPending && !regenerate.isPending;

  const choose = (paletteId: string, name: string) => {
    const before = palette.selectedPaletteId;
    const undo = () => select.mutate({ songId: song.id, paletteId: before });
    select.mutate({ songId: song.id, paletteId }, { onSuccess: () => showToast(text.chosen(name), { undo }) });
  };
  const row = (id: string, name: string, colors: readonly string[], detail: string) => (
    <PaletteRow
      key={id}
      name={name}
      colors={colors}
      detail={detail}
      checked={selected === id}
      disabled={!mayChoose}
      onChoose={() => choose(id, name)}
    />
  );
  const match = ({ paletteId, name, colors, matchScore }: LEDMatch) =>
    row(paletteId, name, colors, text.match(Math.round(matchScore * 100)));
  const matched = new Set(palette.ledMatches.map(({ paletteId }) => paletteId));
  const alternatives = (others.data?.alternatives ?? []).filter(({ paletteId }) => !matched.has(paletteId));

  return (
    <>
      <div className="flex flex-wrap gap-x-8 gap-y-3">
        <Known label={palette.source === "cover" ? text.ofCover : text.heard} colors={palette.extractedColors} />
        {palette.aiKeyColors.length > 0 && (
          <Known label={text.ofKey(palette.musicalKey)} colors={palette.aiKeyColors} />
        )}
      </div>
      <SelectField
        label={text.harmony}
        hint={text.harmonyHint}
        value={palette.harmonyType}
        disabled={!can(rpc.regenerateColorPalette) || regenerate.isPending}
        onChange={({ target }) => regenerate.mutate({ songId: song.id, harmonyType: target.value })}
      >
        <Options of={Object.entries(text.harmonies)} />
      </SelectField>
      <Group label={text.play}>
        {row("automatic", text.automatic, [], text.automaticHint)}
        {row("harmony", text.harmonyOf(text.harmonies[palette.harmonyType] ?? ""), palette.harmonyColors, "")}
      </Group>
      <Group label={text.matches}>{palette.ledMatches.map(match)}</Group>
      {alternatives.length > 0 && <Group label={text.others}>{alternatives.map(match)}</Group>}
      {limit === FEW && (
        <Button className="self-start" pending={others.isFetching} onClick={() => setLimit(ALL)}>
          {text.more}
        </Button>
      )}
    </>
  );
}

function Group({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="pb-1 text-xs font-medium text-muted">{label}</legend>
      <div className="flex flex-col">{children}</div>
    </fieldset>
  );
}

function Known({ label, colors }: { readonly label: string; readonly colors: readonly string[] }) {
  return (
    <div>
      <p className="pb-1 text-xs font-medium text-muted">{label}</p>
      <Swatches colors={colors} />
    </div>
  );
}

interface PaletteRowProps {
  readonly name: string;
  readonly colors: readonly string[];
  readonly detail: string;
  readonly checked: boolean;
  readonly disabled: boolean;
  readonly onChoose: () => void;
}

function PaletteRow({ name, colors, detail, checked, disabled, onChoose }: PaletteRowProps) {
  return (
    <label
      className={cx(
        "flex min-h-9 items-center gap-3 rounded-md px-2 py-1 text-sm",
        checked ? "bg-accent/10" : "hover:bg-raised",
      )}
    >
      <input
        type="radio"
        name="palette"
        className="accent-accent"
        checked={checked}
        disabled={disabled && !checked}
        onChange={onChoose}
      />
      <span className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-3">
        <span className="wrap-anywhere">{name}</span>
        {detail && <span className="text-xs text-muted">{detail}</span>}
      </span>
      {colors.length > 0 && <Swatches colors={colors} />}
    </label>
  );
}

function Swatches({ colors }: { readonly colors: readonly string[] }) {
  return (
    <span role="img" aria-label={colors.join(", ")} className="inline-flex shrink-0 overflow-hidden rounded border">
      {colors.map((color, index) => (
        <span key={index} className="h-5 w-7" style={{ background: color }} />
      ))}
    </span>
  );
}
