import type { SectionLabel } from "../../packages/contract/src/index.ts";
import { GRID_HZ, type LightSource, type SongTruth, type Stage } from "../../packages/lighting/src/index.ts";
import { curveMean } from "../../packages/lighting/src/curves.ts";

/** Light in columns of time: rows x columns x r, g, b, each linear 0..1. */
interface Strip {
  readonly rows: number;
  readonly columns: number;
  readonly rgb: Float32Array;
}

const WIDTH = 1200;
const LEFT = 90;
/** Runs of one colour a picture may have, about: keeps a file under 300 kB. */
const MOST_RUNS = 22_000;
const FEWEST_COLUMNS = 40;
/** A lamp's row; less where there are so many that all of them would be higher than this. */
const LAMP_HEIGHT = 14;
const ROWS_HEIGHT = 280;
const LEAST_LAMP_HEIGHT = 2;
const FORM_HEIGHT = 18;
const CURVE_HEIGHT = 36;

/**
 * A show as SVG: time to the right, a row per lamp, the song's form with its drops above, bars as ticks and loudness below.
 * At most about 300 kB.
 */
export function drawShow(source: LightSource, truth: SongTruth, stage: Stage, title: string): string {
  const heads = stage.zones.flatMap((zone) => zone.heads.toSorted((a, b) => stage.places[a]! - stage.places[b]!));
  const strobes = [...stage.isStrobe.keys()].filter((h) => stage.isStrobe[h] === 1);
  const rows = [...heads, ...strobes];
  const ticks = Math.floor(truth.duration * GRID_HZ);
  const columns = Math.max(FEWEST_COLUMNS, Math.min(WIDTH, ticks, Math.floor(MOST_RUNS / Math.max(1, rows.length))));
  const strip = watch(
    source,
    truth.duration,
    rows.map((h) => [h]),
    columns,
  );
  const top = 34 + FORM_HEIGHT;
  const lampHeight = Math.max(LEAST_LAMP_HEIGHT, Math.min(LAMP_HEIGHT, ROWS_HEIGHT / Math.max(1, rows.length)));
  const height = rows.length * lampHeight;
  const bottom = top + height;
  const x = (t: number) => round(LEFT + (WIDTH * t) / Math.max(1, truth.duration));
  const names = stage.zones.map((zone) => ({ name: zone.name, rows: zone.heads.length }));
  if (strobes.length > 0) names.push({ name: "strobes", rows: strobes.length });
  let at = top;
  const labels = names.map(({ name, rows: count }) => {
    const y = at + (count * lampHeight) / 2 + 4;
    at += count * lampHeight;
    return `<text x="${LEFT - 6}" y="${y}" text-anchor="end">${escape(name)}</text><path d="M${LEFT} ${at}h${WIDTH}" stroke="#444"/>`;
  });
  const bars = truth.downbeats.map((t, i) => `M${x(t)} ${bottom}v${i % 8 === 0 ? 8 : 4}`).join("");
  return page(LEFT + WIDTH + 10, bottom + CURVE_HEIGHT + 14, [
    `<text x="${LEFT}" y="16" font-size="14">${escape(title)}</text>`,
    formOf(truth, x, 28),
    `<rect x="${LEFT}" y="${top}" width="${WIDTH}" height="${height}" fill="#000"/>`,
    paintStrip(strip, LEFT, top, WIDTH, lampHeight, 1),
    ...labels,
    `<path d="${bars}" stroke="#777" fill="none"/>`,
    curveOf(truth, x, bottom + 10),
  ]);
}

/** One song of an evening. */
interface EveningSong {
  readonly title: string;
  readonly source: LightSource;
  readonly truth: SongTruth;
}

const EVENING_WIDTH = 900;
const ZONE_HEIGHT = 6;

/**
 * An evening on one page: a strip per song with its form above, a row for each of the first two lamps of every zone: the mean
 * of lamps in two colours would be a third. Every song is as wide as the page.
 */
export function drawEvening(songs: readonly EveningSong[], stage: Stage): string {
  const zones = stage.zones.flatMap((zone) => zone.heads.slice(0, 2).map((head) => [head]));
  const columns = Math.max(
    FEWEST_COLUMNS,
    Math.min(300, Math.floor(MOST_RUNS / Math.max(1, songs.length * zones.length))),
  );
  const left = 200;
  const height = zones.length * ZONE_HEIGHT;
  const pitch = height + 16;
  const strips = songs.map(({ title, source, truth }, i) => {
    const y = 10 + i * pitch;
    const x = (t: number) => round(left + (EVENING_WIDTH * t) / Math.max(1, truth.duration));
    const strip = watch(source, truth.duration, zones, columns);
    const edges = truth.sections.map(
      ({ start, label }) => `<path d="M${x(start)} ${y}v6" stroke="${FORM_COLOURS[label]}" stroke-width="3"/>`,
    );
    return [
      `<text x="${left - 8}" y="${y + 8 + height / 2}" text-anchor="end">${escape(title)}</text>`,
      `<rect x="${left}" y="${y + 6}" width="${EVENING_WIDTH}" height="${height}" fill="#000"/>`,
      paintStrip(strip, left, y + 6, EVENING_WIDTH, ZONE_HEIGHT, 0),
      ...edges,
      ...truth.drops.map((t) => `<path d="M${x(t)} ${y + 6}l-4 -7h8z" fill="#f43"/>`),
    ].join("");
  });
  return page(left + EVENING_WIDTH + 10, 20 + songs.length * pitch, strips);
}

/** Mean light of groups of heads per column of time. */
function watch(source: LightSource, duration: number, rows: readonly (readonly number[])[], columns: number): Strip {
  const rgb = new Float32Array(rows.length * columns * 3);
  const counts = new Uint32Array(columns);
  const ticks = Math.ceil(duration * GRID_HZ);
  for (let tick = 0; tick < ticks; tick++) {
    source.light(tick / GRID_HZ);
    const column = Math.min(columns - 1, Math.floor((tick * columns) / ticks));
    counts[column]!++;
    rows.forEach((heads, row) => {
      const i = (row * columns + column) * 3;
      for (const h of heads) {
        const level = source.level[h]! / heads.length;
        rgb[i]! += level * source.red[h]!;
        rgb[i + 1]! += level * source.green[h]!;
        rgb[i + 2]! += level * source.blue[h]!;
      }
    });
  }
  for (let i = 0; i < rgb.length; i++) rgb[i]! /= Math.max(1, counts[Math.floor(i / 3) % columns]!);
  return { rows: rows.length, columns, rgb };
}

/** Runs of one colour, all of a colour in one path. */
function paintStrip(
  { rows, columns, rgb }: Strip,
  left: number,
  top: number,
  width: number,
  height: number,
  gap: number,
): string {
  const runs = new Map<string, string[]>();
  for (let row = 0; row < rows; row++) {
    for (let from = 0; from < columns;) {
      const colour = colourAt(rgb, (row * columns + from) * 3);
      let to = from + 1;
      while (to < columns && colourAt(rgb, (row * columns + to) * 3) === colour) to++;
      if (colour !== "#000") {
        const paths = runs.get(colour) ?? [];
        paths.push(`M${from} ${row}h${to - from}`);
        runs.set(colour, paths);
      }
      from = to;
    }
  }
  const shown = (height - gap) / height;
  const paths = [...runs].map(([colour, d]) => `<path stroke="${colour}" d="${d.join("")}"/>`);
  const place = `translate(${left} ${top + height / 2}) scale(${round(width / columns)} ${height})`;
  return `<g transform="${place}" fill="none" stroke-width="${round(shown)}">${paths.join("")}</g>`;
}

/** As a screen shows it, sixteen steps a channel. */
function colourAt(rgb: Float32Array, i: number): string {
  let text = "#";
  for (let k = 0; k < 3; k++) {
    text += Math.round(15 * Math.min(1, rgb[i + k]!) ** (1 / 2.2)).toString(16);
  }
  return text;
}

const FORM_COLOURS: Record<SectionLabel, string> = {
  intro: "#8899aa",
  verse: "#6aa06a",
  chorus: "#d9a23a",
  build: "#b07ad0",
  drop: "#e0564a",
  break: "#5a86c8",
  bridge: "#4fb0a8",
  outro: "#8899aa",
};

function formOf(truth: SongTruth, x: (t: number) => number, y: number): string {
  const sections = truth.sections.map(({ label, start, end }) => {
    const width = round(x(end) - x(start));
    const name = width > 6 * label.length ? `<text x="${x(start) + 4}" y="${y + 12}" fill="#000">${label}</text>` : "";
    return `<rect x="${x(start)}" y="${y}" width="${Math.max(0, round(width - 1))}" height="${FORM_HEIGHT - 2}" fill="${FORM_COLOURS[label]}"/>${name}`;
  });
  const drops = truth.drops.map((t) => `<path d="M${x(t)} ${y + FORM_HEIGHT}l-5 -9h10z" fill="#f00"/>`);
  return sections.join("") + drops.join("");
}

function curveOf(truth: SongTruth, x: (t: number) => number, y: number): string {
  const points = Array.from({ length: 300 }, (_, i) => {
    const t = (i / 300) * truth.duration;
    return `${x(t)} ${round(y + CURVE_HEIGHT * (1 - curveMean(truth.energy, t, t + truth.duration / 300)))}`;
  });
  return `<path d="M${points.join("L")}" stroke="#aaa" fill="none"/>`;
}

function page(width: number, height: number, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${round(height)}" width="${width}" font-family="sans-serif" font-size="11">`,
    `<rect width="100%" height="100%" fill="#1b1b1f"/><g fill="#ddd">`,
    ...parts,
    "</g></svg>\n",
  ].join("\n");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
