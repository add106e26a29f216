import { parseArgs } from "node:util";
import { judgePlan } from "@followspot/lighting";
import { readAnalysis, readPlan, refusal, USAGE } from "./show-files.ts";

const HELP = `song -- judge PLAN HYBRID

Renders a plan on the three reference rigs and prints what it measures as JSON:
{"passed": bool, "gates": [...], "rigs": [{"name", "gates", "measures"}]}
PLAN     lighting.json      HYBRID   hybrid.json of the same song
Exit code 0 whatever the verdict is.`;

/** Measure a plan against its song; see HELP. */
export async function songJudge(args: string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { help: { type: "boolean", short: "h" } },
    });
    if (values.help) {
      console.log(HELP);
      return 0;
    }
    const [plan, hybrid] = positionals;
    if (!plan || !hybrid || positionals.length !== 2) {
      console.error(HELP);
      return USAGE;
    }
    const verdict = judgePlan(readPlan(plan), readAnalysis(hybrid));
    const failed = verdict.rigs.flatMap((rig) =>
      rig.gates.filter((gate) => !gate.passed).map((gate) => `${rig.name}: ${gate.id} ${gate.name}`),
    );
    console.error(verdict.passed ? "all gates passed" : `failed: ${failed.join("; ")}`);
    process.stdout.write(`${JSON.stringify(verdict, undefined, 2)}\n`);
    return 0;
  } catch (error) {
    return refusal(error, HELP);
  }
}
