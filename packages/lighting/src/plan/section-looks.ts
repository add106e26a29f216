import type { SectionLabel } from "@followspot/contract";
import type { CueSpec, LaneWriter, PlannedRole } from "./lane-writer.ts";
import type { ShowPalette } from "./palette.ts";
import type { PlannedSection, Rank, SongForm } from "./song-form.ts";

/** Everything a section's recipe may look at. */
export interface LookContext {
  readonly form: SongForm;
  readonly section: PlannedSection;
  readonly next: PlannedSection | undefined;
  readonly palette: ShowPalette;
  readonly lanes: LaneWriter;
  /** Seeded for this section alone, so re-rolling one section changes no other. */
  readonly random: () => number;
  /** A moment of singing long enough to need light on the singer. */
  readonly sings: boolean;
}

/** Perceptual levels per rank 0..4: the whole song's budget. */
const WASH: Record<Rank, number> = { 0: 0.46, 1: 0.51, 2: 0.57, 3: 0.68, 4: 0.78 };
const ACCENT: Record<Rank, number> = { 0: 0.3, 1: 0.42, 2: 0.58, 3: 0.85, 4: 1 };
/** A singer is never darker than this. */
const KEY_FLOOR = 0.42;
const KEY_LEVEL = 0.6;
/** Whole rig hits per second a plan may ask for; below the limiter's three in 46 ticks, so that it never has to act. */
const MOST_HITS_PER_SECOND = 2.8;
/** Beats per movement cycle and share of travel, by rank. */
const MOVE_BEATS: Record<Rank, number> = { 0: 0, 1: 32, 2: 16, 3: 8, 4: 4 };
const MOVE_RANGE: Record<Rank, number> = { 0: 0.1, 1: 0.2, 2: 0.35, 3: 0.6, 4: 0.8 };

/** Write the look of one section into the lanes. */
export function writeLook(context: LookContext): void {
  const { form, section } = context;
  if (!form.hasBeat) return writeCalmLook(context);
  switch (section.label) {
    case "intro":
      return writeIntro(context);
    case "verse":
      return writeVerse(context);
    case "build":
      return writeBuild(context, section.startBeat);
    case "chorus":
    case "drop":
      return writePeak(context);
    case "break":
      return writeBreak(context);
    case "bridge":
      return writeBridge(context);
    case "outro":
      return writeOutro(context);
    default:
      return section.label satisfies never;
  }
}

function writeIntro(context: LookContext): void {
  const { section, palette } = context;
  const why = name(section);
  eachPhrase(context, (from, to, i) => {
    const level = levelOf(context, WASH[section.rank] * (1 + 0.05 * i));
    put(
      context,
      "wash",
      from,
      to,
      i === 0 ? "slow_fade" : "static_crossfade",
      [palette.base],
      {
        level: i === 0 ? Math.max(0.08, context.sings ? KEY_FLOOR : 0.08) : level,
        to_level: level,
        fade_seconds: i === 0 ? 0 : seconds(context, 2),
      },
      i === 0 ? `${why}: light grows from black over the first phrase` : `${why}: holds the base`,
    );
    if (section.rank >= 1 || i > 0) {
      put(
        context,
        "par",
        from,
        to,
        "breathing",
        [palette.second],
        {
          level: 0.3,
          depth: 0.7,
          period_beats: 4 * context.form.beatsPerBar,
          fade_seconds: seconds(context, 4),
        },
        `${why}: a slow breath of the second colour`,
      );
    }
  });
  key(context, "static");
}

function writeVerse(context: LookContext): void {
  const { section, palette, form } = context;
  const why = name(section);
  const isBusy = section.rank >= 3;
  eachPhrase(context, (from, to, i) => {
    put(
      context,
      "wash",
      from,
      to,
      "static_crossfade",
      [palette.base],
      {
        level: levelOf(context, WASH[section.rank] * (1 + 0.05 * i)),
        fade_seconds: seconds(context, i === 0 ? 1.5 : 1),
      },
      `${why}: the base colour, still, five percent up each phrase`,
    );
    const direction = (i + section.occurrence) % 2 === 0 ? -1 : 1;
    put(
      context,
      "par",
      from,
      to,
      "slow_wave",
      [palette.base, palette.second],
      {
        level: ACCENT[section.rank] * 0.8,
        depth: isBusy ? 0.6 : 0.45,
        period_beats: (isBusy ? 2 : 4) * form.beatsPerBar,
        direction,
        spread: section.occurrence > 1 ? "alternate" : "one",
        fade_seconds: seconds(context, i === 0 ? 1.5 : 1),
      },
      `${why}: a wave across the stage, turned round each phrase`,
    );
    // The second verse is recognisable and richer by one role.
    if (section.occurrence > 1 || isBusy) {
      put(
        context,
        "bar",
        from,
        to,
        "slow_wave",
        [palette.second],
        {
          level: ACCENT[section.rank] * 0.6,
          depth: 0.4,
          period_beats: 8 * form.beatsPerBar,
          direction: -direction,
          fade_seconds: seconds(context, 2),
        },
        `${why}: occurrence ${section.occurrence} adds the bars`,
      );
    }
  });
  key(context, "slow");
  closePhrase(context);
}

/** Rhythm tightens, colour goes to white, level stops short of full so the drop has room. */
function writeBuild(context: LookContext, fromBeat: number): void {
  const { section, palette, form, next } = context;
  const why = name(section);
  const end = section.endBeat;
  const wash = levelOf(context, 0.42);
  put(
    context,
    "wash",
    fromBeat,
    end,
    "ramp",
    [palette.base],
    {
      level: wash,
      to_level: context.sings ? KEY_FLOOR : 0.2,
      fade_seconds: seconds(context, 1),
    },
    `${why}: the wash is taken away to leave room for ${next?.label ?? "what follows"}`,
  );
  const bar = form.beatsPerBar;
  const length = end - fromBeat;
  // Four stages, each half of what is left: 4, 2, 1 and 1/2 beats per step.
  const stages = [
    { from: fromBeat, step: bar === 3 ? 3 : 4 },
    { from: fromBeat + wholeBars(length * 0.5, bar), step: bar === 3 ? 3 : 2 },
    { from: fromBeat + wholeBars(length * 0.75, bar), step: 1 },
    { from: end - bar, step: 0.5 },
  ].filter((stage, i, all) => i === 0 || stage.from > all[i - 1]!.from);
  for (const [i, stage] of stages.entries()) {
    const to = stages[i + 1]?.from ?? end;
    const isChase = stage.step <= 1;
    const share = i / Math.max(1, stages.length - 1);
    put(
      context,
      "par",
      stage.from,
      to,
      isChase ? "chase" : "beat_pulse",
      [palette.base],
      {
        level: 0.35 + 0.15 * share,
        to_level: 0.4 + 0.2 * share,
        floor: 0.15,
        step_beats: stage.step,
        decay_beats: Math.min(2, stage.step),
        cells: bar === 3 ? 3 : 4,
        white: 0.5 * share,
        to_white: i === stages.length - 1 ? 0.9 : 0.5 * share,
      },
      `${why}: ${everyBeats(stage.step)} now, tighter towards ${next?.label ?? "the end"}`,
    );
  }
  put(
    context,
    "bar",
    fromBeat + wholeBars(length * 0.25, bar),
    end,
    "ramp",
    [palette.second],
    {
      level: 0.08,
      to_level: 0.55,
      to_white: 0.8,
    },
    `${why}: the bars rise and lose their colour, stopping short of full`,
  );
  put(
    context,
    "spot",
    fromBeat,
    end,
    "static_crossfade",
    [palette.base],
    {
      level: context.sings ? KEY_LEVEL : 0.3,
      move_beats: 0,
      move_range: 0.1,
      fade_seconds: seconds(context, 1),
    },
    `${why}: spots draw together in the centre`,
  );
}

function writePeak(context: LookContext): void {
  const { section, palette, form, random } = context;
  const why = name(section);
  const [lead, accent] = coloursOf(context);
  const isTop = section.rank === 4;
  const isDrop = section.label === "drop";
  const isBold = section.rank >= 3;
  const lift = section.isLastOfLabel && section.occurrence > 1 ? 1.06 : 1;
  const step = pulseStep(context, isTop ? 1 : isBold ? oneOf(random, [1, 2]) : 2);
  const chaseStep = isTop && isDrop ? 0.5 : 1;
  const direction = section.occurrence % 2 === 0 ? -1 : 1;
  const gentler = section.hasVocals ? 0.8 : 1;
  const bar = form.beatsPerBar;
  const onTwoAndFour = step === 2 && !isDrop && bar === 4;

  eachPhrase(context, (from, to, i) => {
    const level = levelOf(context, Math.min(0.9, WASH[section.rank] * lift));
    if (i === 0) {
      put(
        context,
        "wash",
        from,
        Math.min(to, from + bar),
        "snap",
        [lead],
        {
          level: Math.min(1, level + 0.25),
          to_level: level,
          decay_beats: 2,
          white: isTop ? 0.4 : 0,
          to_white: 0,
        },
        section.dropsIn
          ? `${why}: out of the dark, full on the one (drop confidence ${section.dropConfidence.toFixed(2)})`
          : `${why}: snaps on the one in its own hue`,
      );
    }
    const washFrom = i === 0 ? Math.min(to, from + bar) : from;
    put(
      context,
      "wash",
      washFrom,
      to,
      "static_snap",
      [lead],
      { level, white: isTop && section.isLastOfLabel ? 0.15 : 0 },
      `${why}: the wash rests so the beat can speak`,
    );
    const floor = isBold ? 0.3 : 0.25;
    // The two colours change places every second phrase; the wash keeps its own, so the look stays recognisable.
    const beatColour = isBold && i % 4 >= 2 ? lead : accent;
    put(
      context,
      "par",
      from,
      to,
      "beat_pulse",
      [beatColour],
      {
        level: ACCENT[section.rank] * lift,
        floor: Math.max(floor, 1 - gentler),
        step_beats: step,
        offset_beats: onTwoAndFour ? 1 : 0,
        decay_beats: step === 1 ? 0.8 : 1.2,
      },
      onTwoAndFour
        ? `${why}: pulse on the backbeat`
        : `${why}: pulse ${everyBeats(step)} at ${Math.round(form.bpm)} BPM`,
    );
    if (isBold) {
      put(
        context,
        "bar",
        from,
        to,
        "chase",
        isTop ? [accent, lead] : [accent],
        {
          level: ACCENT[section.rank] * 0.9,
          floor: 0.2,
          step_beats: bar === 3 ? 1 : chaseStep,
          cells: bar === 3 ? 3 : 4,
          direction: direction * (i % 2 === 0 ? 1 : -1),
          spread: isTop ? "alternate" : "one",
        },
        `${why}: chase, one lamp handing over to the next, turned round each phrase`,
      );
    } else if (section.occurrence > 1) {
      put(
        context,
        "bar",
        from,
        to,
        "slow_wave",
        [accent],
        { level: 0.45, depth: 0.4, period_beats: 4 * bar, direction },
        `${why}: occurrence ${section.occurrence} adds the bars`,
      );
    }
    if (isTop && section.dropConfidence >= 0.6) burst(context, from, i === 0 ? 2 : 1);
  });
  put(
    context,
    "spot",
    section.startBeat,
    section.endBeat,
    "static_snap",
    [section.hasVocals ? palette.white : accent],
    {
      level: Math.max(section.hasVocals ? KEY_LEVEL : 0, ACCENT[section.rank] * 0.85),
      move_beats: MOVE_BEATS[section.rank],
      move_range: MOVE_RANGE[section.rank],
      tilt: isDrop ? 0.6 : 0.5,
    },
    section.hasVocals
      ? `${why}: white on the singer`
      : `${why}: beams fan out, one sweep in ${MOVE_BEATS[section.rank]} beats`,
  );
  if (isBold) {
    put(
      context,
      "effect",
      section.startBeat,
      section.endBeat,
      "static_snap",
      [palette.white],
      { level: 0.8 },
      `${why}: effects are for the top of the song`,
    );
  }
  closePhrase(context);
}

function writeBreak(context: LookContext): void {
  const { section, palette, form } = context;
  const why = name(section);
  eachPhrase(context, (from, to, i) => {
    put(
      context,
      "wash",
      from,
      to,
      "breathing",
      [palette.second],
      {
        level: levelOf(context, Math.max(0.42, WASH[section.rank] * 0.9)),
        depth: context.sings ? 0.1 : 0.5,
        period_beats: (i % 2 === 0 ? 4 : 2) * form.beatsPerBar,
        fade_seconds: seconds(context, 4),
      },
      `${why}: one group breathes, dark enough to listen`,
    );
  });
  key(context, "sweep");
}

function writeBridge(context: LookContext): void {
  const { section, palette, form } = context;
  const why = name(section);
  eachPhrase(context, (from, to, i) => {
    put(
      context,
      "wash",
      from,
      to,
      "static_crossfade",
      [palette.second],
      {
        level: levelOf(context, WASH[section.rank] * (1 + 0.04 * i)),
        fade_seconds: seconds(context, 2),
      },
      `${why}: a hue of its own`,
    );
    put(
      context,
      "par",
      from,
      to,
      "slow_wave",
      [palette.second, palette.base],
      {
        level: ACCENT[section.rank] * 0.75,
        depth: 0.5,
        period_beats: 2 * form.beatsPerBar,
        direction: i % 2 === 0 ? 1 : -1,
        spread: "alternate",
        fade_seconds: seconds(context, 2),
      },
      `${why}: a wave in both its colours`,
    );
    put(
      context,
      "bar",
      from,
      to,
      "reactive",
      [palette.second],
      { level: 0.42, floor: 0.25, band: "mid" },
      `${why}: the bars listen to the middle of the band`,
    );
  });
  key(context, "slow");
  closePhrase(context);
}

/** The intro backwards: roles leave one by one, then the wash fades with the sound. */
function writeOutro(context: LookContext): void {
  const { section, palette, form } = context;
  const why = name(section);
  const phrases = phrasesOf(context);
  for (const [i, [from, to]] of phrases.entries()) {
    const isLast = i === phrases.length - 1;
    const level = levelOf(context, WASH[section.rank] * (1 - 0.1 * i));
    put(
      context,
      "wash",
      from,
      to,
      "slow_fade",
      [palette.base],
      {
        level,
        to_level: isLast && !context.next ? 0 : level,
        fade_seconds: seconds(context, 2),
      },
      isLast ? `${why}: fades out with the sound` : `${why}: back to the base`,
    );
    if (i < Math.max(1, phrases.length - 1)) {
      put(
        context,
        "par",
        from,
        to,
        "breathing",
        [palette.second],
        {
          level: 0.35,
          to_level: isLast ? 0 : 0.35,
          depth: 0.6,
          period_beats: 4 * form.beatsPerBar,
          fade_seconds: seconds(context, 2),
        },
        `${why}: the second colour leaves first`,
      );
    }
  }
  if (context.sings) key(context, "static");
}

/** No beat to trust: nothing hits; light moves with the loudness, slowly. */
function writeCalmLook(context: LookContext): void {
  const { section, palette, form } = context;
  const why = `${name(section)}, no reliable beat`;
  const count = Math.max(1, Math.round((section.end - section.start) / 16));
  const length = (section.end - section.start) / count;
  const [lead, accent] = coloursOf(context);
  for (let i = 0; i < count; i++) {
    const from = section.start + i * length;
    const to = i === count - 1 ? section.end : from + length;
    const isEnd = i === count - 1 && !context.next;
    const level = levelOf(context, Math.min(0.75, WASH[section.rank] + (i % 2) * 0.06));
    context.lanes.add("wash", section, from, to, {
      intent: i % 2 === 0 ? "slow_wave" : "breathing",
      palette: [lead],
      params: {
        level,
        to_level: isEnd ? 0 : level,
        depth: 0.25,
        period_seconds: 12,
        fade_seconds: Math.min(3, length / 2),
      },
      reason: `${why}: slow movement only`,
    });
    if (section.rank >= 1 && !isEnd) {
      context.lanes.add("par", section, from, to, {
        intent: "slow_breathing",
        palette: [accent],
        params: {
          level: ACCENT[Math.min(3, section.rank) as Rank] * 0.7,
          depth: 0.5,
          period_seconds: 16,
          fade_seconds: Math.min(4, length / 2),
        },
        reason: `${why}: a breath of the second colour`,
      });
    }
    if (section.rank >= 2 && !form.isFlat && !isEnd) {
      context.lanes.add("bar", section, from, to, {
        intent: "slow_wave",
        palette: [accent],
        params: { level: 0.4, depth: 0.4, period_seconds: 20, fade_seconds: Math.min(4, length / 2) },
        reason: `${why}: the louder part of the song gets more lamps`,
      });
    }
  }
  if (context.sings) {
    context.lanes.add("spot", section, section.start, section.end, {
      intent: "static_crossfade",
      palette: [palette.white],
      params: { level: KEY_LEVEL, fade_seconds: 2 },
      reason: `${why}: light on the singer`,
    });
  }
}

/** Put the build recipe over the last bars of a section that leads into a confident drop. */
export function writeRiser(context: LookContext): void {
  const { section, form } = context;
  const bars = Math.floor((section.endBeat - section.startBeat) / form.beatsPerBar);
  if (section.label === "build" || bars < 8) return;
  const length = (bars >= 16 ? 8 : 4) * form.beatsPerBar;
  const from = section.endBeat - length;
  context.lanes.darken(form.clock.timeAt(from), section.end);
  writeBuild(context, from);
}

// ---- pieces ---------------------------------------------------------------------------------------------

/** Which hue leads a label. The label keeps it for the whole song: that is how the form can be read. */
export function coloursOf({
  section,
  palette,
  form,
}: Pick<LookContext, "section" | "palette" | "form">): readonly [string, string] {
  const hasDrop = form.sections.some((s) => s.label === "drop");
  const leads: Record<SectionLabel, readonly [string, string]> = {
    intro: [palette.base, palette.second],
    verse: [palette.base, palette.second],
    build: [palette.base, palette.second],
    chorus: hasDrop ? [palette.second, palette.base] : [palette.contrast, palette.second],
    drop: [palette.contrast, palette.base],
    break: [palette.second, palette.second],
    bridge: [palette.second, palette.base],
    outro: [palette.base, palette.second],
  };
  return leads[section.label];
}

function put(
  context: LookContext,
  role: PlannedRole,
  from: number,
  to: number,
  intent: string,
  palette: readonly string[],
  params: CueSpec["params"],
  reason: string,
): void {
  const tidy = Object.fromEntries(
    Object.entries(params).map(([k, v]) => [k, typeof v === "number" ? Math.round(v * 1000) / 1000 : v]),
  );
  for (const key of ["level", "to_level"]) {
    const v = tidy[key];
    if (typeof v === "number") tidy[key] = Math.min(1, v);
  }
  context.lanes.addBeats(role, context.section, from, to, { intent, palette, params: tidy, reason });
}

/** The spot on the singer, or a quiet beam where nobody sings. */
function key(context: LookContext, movement: "static" | "slow" | "sweep"): void {
  const { section, palette } = context;
  const why = name(section);
  if (!context.sings && section.rank < 2 && movement !== "sweep") return;
  const isStill = movement === "static" || context.sings;
  put(
    context,
    "spot",
    section.startBeat,
    section.endBeat,
    "static_crossfade",
    [context.sings ? palette.white : palette.second],
    {
      level: context.sings ? KEY_LEVEL : 0.3,
      move_beats: isStill ? 0 : movement === "sweep" ? 32 : MOVE_BEATS[section.rank],
      move_range: isStill ? 0.05 : MOVE_RANGE[section.rank],
      fade_seconds: seconds(context, 1),
    },
    context.sings ? `${why}: light on the singer within a beat` : `${why}: one quiet beam`,
  );
}

/** The last beats before a bigger section lose their rhythm, so the entry is felt. */
function closePhrase({ section, next, form, lanes, random }: LookContext): void {
  if (!next || next.rank <= section.rank || next.dropsIn) return;
  const beats = form.beatsPerBar === 3 ? 3 : oneOf(random, [2, 4]);
  if (section.endBeat - section.startBeat < 4 * form.beatsPerBar) return;
  lanes.thin("par", form.clock.timeAt(section.endBeat - beats), section.end);
}

/** Strobe lamps on the beat: few, short, in step with the pulse so that the rig never flashes faster than it. */
function burst(context: LookContext, from: number, bars: number): void {
  const { form, section, palette } = context;
  const perBeat = form.bpm / 60;
  const rate = perBeat <= MOST_HITS_PER_SECOND ? perBeat : perBeat / 2;
  put(
    context,
    "strobe",
    from,
    from + bars * form.beatsPerBar,
    "strobe",
    [palette.white],
    { level: 0.9, rate_hz: rate, duty: 0.25 },
    `${name(section)}: a short burst, ${bars} bar${bars > 1 ? "s" : ""}, kept for the top of the song`,
  );
}

function eachPhrase(context: LookContext, write: (from: number, to: number, index: number) => void): void {
  for (const [i, [from, to]] of phrasesOf(context).entries()) write(from, to, i);
}

/** Eight bars (four in short sections) from the section's own start; a remainder under two bars joins the phrase before. */
function phrasesOf({ section, form }: LookContext): readonly (readonly [number, number])[] {
  const bars = (section.endBeat - section.startBeat) / form.beatsPerBar;
  const length = (bars < 12 ? 4 : 8) * form.beatsPerBar;
  const phrases: [number, number][] = [];
  for (let from = section.startBeat; from < section.endBeat; from += length) {
    phrases.push([from, Math.min(section.endBeat, from + length)]);
  }
  const last = phrases.at(-1);
  const before = phrases.at(-2);
  if (last && before && last[1] - last[0] < 2 * form.beatsPerBar) {
    before[1] = last[1];
    phrases.pop();
  }
  return phrases.length > 0 ? phrases : [[section.startBeat, section.startBeat + 1]];
}

/** The wanted pulse, slowed until the whole rig hits less than three times a second; multiples of the bar in 3/4. */
function pulseStep({ form, section }: LookContext, wanted: number): number {
  let step = form.beatsPerBar === 3 ? (section.rank <= 2 ? 3 : 1) : form.beatsPerBar === 4 ? wanted : form.beatsPerBar;
  while (form.bpm / 60 / step > MOST_HITS_PER_SECOND) step *= form.beatsPerBar === 3 ? 3 : 2;
  return step;
}

function levelOf(context: LookContext, level: number): number {
  return Math.min(1, context.sings ? Math.max(KEY_FLOOR, level) : level);
}

function name(section: PlannedSection): string {
  return `${section.label} ${section.occurrence}, rank ${section.rank}`;
}

function seconds({ form }: LookContext, beats: number): number {
  return Math.min(8, (beats * 60) / form.bpm);
}

function wholeBars(beats: number, bar: number): number {
  return Math.floor(beats / bar) * bar;
}

function oneOf<T>(random: () => number, options: readonly T[]): T {
  return options[Math.floor(random() * options.length)]!;
}

const everyBeats = (step: number): string => (step === 1 ? "every beat" : `every ${step} beats`);
