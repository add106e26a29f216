import type { MaskMaker } from "../stems/mask-maker.ts";
import { StemSeparator, type StemName, type Stems, type StereoBlock } from "../stems/stems.ts";

/** Separates a whole song at 44.1 kHz at once: four stems of the song's length that add up to it. */
export function separateStems(left: Float32Array, right: Float32Array, masks?: MaskMaker): Stems {
  const separator = new StemSeparator(masks);
  const blocks = [...separator.push(left, right), ...separator.finish()];
  const join = (name: StemName): StereoBlock => {
    const out = { left: new Float32Array(left.length), right: new Float32Array(left.length) };
    let at = 0;
    for (const block of blocks) {
      out.left.set(block[name].left, at);
      out.right.set(block[name].right, at);
      at += block[name].left.length;
    }
    return out;
  };
  return { drums: join("drums"), bass: join("bass"), vocals: join("vocals"), other: join("other") };
}
