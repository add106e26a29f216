/**
 * A separate program: `beat-this-child.ts MODEL WAV` prints the beats that a Beat This! network detects (F. Foscarin,
 * J. Schlüter, G. Widmer, "Beat This! Accurate beat tracking without DBN postprocessing", ISMIR 2024). The user
 * provides the network and onnxruntime-node.
 */
import { createReadStream } from "node:fs";
import { createRequire } from "node:module";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { Resampler } from "../resample.ts";
import { beatsFromLogits, chunkStarts, CHUNK_BORDER, CHUNK_FRAMES, LogMel, MEL_BANDS } from "./beat-this.ts";

/** The functions of onnxruntime-node in use. */
interface OnnxRuntime {
  readonly InferenceSession: { create(model: string): Promise<Session> };
  readonly Tensor: new (type: "float32", data: Float32Array, dims: readonly number[]) => unknown;
}
interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Record<string, unknown>): Promise<Record<string, { readonly data: Float32Array } | undefined>>;
}

const WAV_RATE = 44_100;
const HEADER_BYTES = 44;

const [model = "", wav = ""] = process.argv.slice(2);
// The parent holds our stdin: after its death the answer is not needed.
process.stdin.on("close", () => process.exit(1)).resume();
try {
  const runtime = await loadRuntime();
  const spectrogram = await readSpectrogram();
  const logits = await hear(runtime, spectrogram);
  const found = beatsFromLogits(logits.beat, logits.downbeat);
  await print({ engine: "beat-this", version: basename(model).replace(/\.onnx$/, ""), ...found });
} catch (error) {
  if (!(error instanceof RangeError)) throw error;
  await print({ refused: error.message });
}
process.exit(0);

/** Loads the runtime installed beside the model, otherwise the one beside this program. */
async function loadRuntime(): Promise<OnnxRuntime> {
  const name = "onnxruntime-node"; // a variable, so that tools do not report it as our dependency
  for (const from of [model, import.meta.filename]) {
    try {
      const found: unknown = await import(pathToFileURL(createRequire(from).resolve(name)).href);
      const module = found as OnnxRuntime & { readonly default?: OnnxRuntime }; // the user's package
      return module.default ?? module;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "MODULE_NOT_FOUND" && code !== "ERR_MODULE_NOT_FOUND") throw error;
    }
  }
  throw new RangeError(
    "onnxruntime-node is not installed; run `npm install --ignore-scripts onnxruntime-node` in the model's folder",
  );
}

async function readSpectrogram(): Promise<Float32Array> {
  const mel = new LogMel();
  const resampler = new Resampler(WAV_RATE, LogMel.RATE);
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(wav, { start: HEADER_BYTES, highWaterMark: 1 << 20 })) {
    const bytes = Buffer.concat([rest, chunk as Buffer]);
    const frames = Math.floor(bytes.length / 4);
    const mono = new Float32Array(frames);
    for (let i = 0; i < frames; i++) mono[i] = (bytes.readInt16LE(4 * i) + bytes.readInt16LE(4 * i + 2)) / 65_536;
    rest = bytes.subarray(4 * frames);
    mel.push(resampler.push(mono));
  }
  mel.push(resampler.finish());
  return mel.finish();
}

/** Runs the network on chunks; in an overlap the earlier chunk counts, without its border. */
async function hear(
  { InferenceSession, Tensor }: OnnxRuntime,
  spectrogram: Float32Array,
): Promise<{ beat: Float32Array; downbeat: Float32Array }> {
  const session = await InferenceSession.create(model);
  const [input = ""] = session.inputNames;
  const downbeatName = session.outputNames.find((name) => /down/i.test(name));
  const beatName = session.outputNames.find((name) => /beat/i.test(name) && name !== downbeatName);
  if (!downbeatName || !beatName)
    throw new RangeError(`the model's outputs are ${session.outputNames.join(", ")}, not beat and downbeat`);

  const frames = spectrogram.length / MEL_BANDS;
  const beat = new Float32Array(frames).fill(-1000);
  const downbeat = new Float32Array(frames).fill(-1000);
  for (const start of chunkStarts(frames).reverse()) {
    const chunk = new Float32Array(CHUNK_FRAMES * MEL_BANDS);
    const from = Math.max(0, start);
    const to = Math.min(frames, start + CHUNK_FRAMES);
    chunk.set(spectrogram.subarray(from * MEL_BANDS, to * MEL_BANDS), (from - start) * MEL_BANDS);
    const heard = await session.run({ [input]: new Tensor("float32", chunk, [1, CHUNK_FRAMES, MEL_BANDS]) });
    const first = start + CHUNK_BORDER;
    const last = Math.min(frames, start + CHUNK_FRAMES - CHUNK_BORDER);
    for (const [name, curve] of [[beatName, beat] as const, [downbeatName, downbeat] as const]) {
      const logits = heard[name]?.data;
      if (!logits || logits.length < CHUNK_FRAMES)
        throw new RangeError(`the model answers ${logits?.length ?? 0} values for ${CHUNK_FRAMES} frames`);
      curve.set(logits.subarray(CHUNK_BORDER, CHUNK_BORDER + last - first), first);
    }
  }
  return { beat, downbeat };
}

function print(answer: object): Promise<void> {
  return new Promise((resolve) => void process.stdout.write(JSON.stringify(answer), () => resolve()));
}
