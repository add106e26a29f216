import { outputName } from "@followspot/contract";
import { LightsService, type Output } from "@followspot/contract/lights";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useState } from "react";
import { useCan } from "../auth/can.ts";
import { useOutputs } from "../outputs/outputs.queries.ts";
import { buttonClass } from "../ui/button.tsx";
import { SelectField } from "../ui/fields.tsx";
import { Options } from "../ui/options.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState, ErrorState, Loading } from "../ui/states.tsx";
import type { CalibrationSearch } from "./calibration-search.ts";
import { calibrationStrings as text } from "./calibration.strings.ts";
import { Flashing } from "./flashing.tsx";
import { OffsetPanel } from "./offset-panel.tsx";
import type { SongPlayer } from "../visualizer/player/song-player.ts";

const rpc = LightsService.method;

/** Page that synchronizes light with sound, over the same signal path as a song. */
export function CalibrationPage() {
  const can = useCan();
  const outputs = useOutputs();
  const isAllowed = can(rpc.updateOutput) && can("playOnStage");
  const enabled = outputs.data?.outputs.filter((output) => output.enabled) ?? [];
  return (
    <Page
      title={text.title}
      beside={
        <Link to="/lights" className={buttonClass({ variant: "ghost" })}>
          <ArrowLeft aria-hidden size={14} /> {text.back}
        </Link>
      }
    >
      {!isAllowed ? (
        <EmptyState text={text.denied} />
      ) : outputs.isPending ? (
        <Loading rows={3} />
      ) : outputs.isError ? (
        <ErrorState prefix={text.loadError} error={outputs.error} onRetry={() => void outputs.refetch()} />
      ) : enabled.length === 0 ? (
        <EmptyState text={text.empty}>
          <Link to="/lights" search={{ open: "outputs" }} className={buttonClass({ variant: "primary" })}>
            {text.openOutputs}
          </Link>
        </EmptyState>
      ) : (
        <Calibration outputs={enabled} readAgain={() => outputs.refetch()} />
      )}
    </Page>
  );
}

function Calibration({
  outputs,
  readAgain,
}: {
  readonly outputs: readonly Output[];
  readonly readAgain: () => Promise<unknown>;
}) {
  const search: CalibrationSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const [player, setPlayer] = useState<SongPlayer>();
  // The panel starts from the outputs as loaded and ignores later updates. A new round remounts it with fresh data.
  const [round, setRound] = useState(0);
  const chosen = outputs.find(({ id }) => id === search.output);
  const targets = chosen ? [chosen] : outputs;
  const choose = (id: string) =>
    void navigate({ to: "/lights/calibration", search: id === "" ? {} : { output: id }, replace: true });
  return (
    <div className="grid items-start gap-x-6 gap-y-3 lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-3">
        <p className="text-muted">{text.intro}</p>
        <SelectField label={text.output} value={chosen?.id ?? ""} onChange={({ target }) => choose(target.value)}>
          <option value="">{text.all}</option>
          <Options of={outputs.map((output) => [output.id, outputName(output)])} />
        </SelectField>
        <Flashing key={`flashing ${chosen?.id}`} outputId={chosen?.id} onPlayer={setPlayer} />
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        <OffsetPanel
          key={`${chosen?.id} ${outputs.length} ${round}`}
          outputs={targets}
          player={player}
          onReadAgain={() => void readAgain().then(() => setRound((n) => n + 1))}
        />
      </div>
    </div>
  );
}
