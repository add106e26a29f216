/** The board as one page without scripts or outside files: tables and inline SVG, light or dark as the reader is. */
import { writeFileSync } from "node:fs";
import {
  barsOf,
  bestPeer,
  describeDuel,
  duel,
  DUELS,
  enginesOf,
  format,
  known,
  meanOf,
  METRICS,
  of,
  verdict,
  wholeSongVocalAuc,
  type Metric,
  type Row,
} from "./board.ts";
import { OURS } from "./engines.ts";

const DOTTED: readonly Metric[] = ["beat F", "AMLt", "downbeat F", "HR.5F", "HR3F", "key"];
const BARRED: readonly Metric[] = ["beat F", "downbeat F"];

export function writeReport(path: string, rows: readonly Row[], complaints: readonly string[]): void {
  const sets = [...new Set(rows.map((r) => r.set))];
  const parts = sets.map((set) => {
    const own = rows.filter((r) => r.set === set);
    return [
      `<h2>${escape(set)}: ${of(own, OURS).length} songs</h2>`,
      legend(enginesOf(own)),
      meansTable(own),
      barsTable(own),
      duelsTable(own),
      figure("Speed and accuracy: mean per engine", speedPlot(own)),
      figure("Tempo: estimate against truth; lines are 1/3, 1/2, 1, 2 and 3 times the truth", tempoPlot(own)),
      figure("Timing of matched beats: estimate minus truth", errorPlot(own)),
      ...known(own, BARRED).map((metric) =>
        figure(`${metric} per genre: ours and the best peer`, genrePlot(own, metric)),
      ),
      ...known(own, DOTTED).map((metric) =>
        figure(`${metric} song by song, ours from low to high`, dotPlot(own, metric)),
      ),
    ].join("\n");
  });
  const notes = complaints.map((text) => `<p class="miss">${escape(text)}</p>`).join("\n");
  const title = "Followspot: song analysis beside free trackers";
  writeFileSync(
    path,
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<title>${title}</title><style>${STYLE}</style><h1>${title}</h1>\n${notes}${parts.join("\n")}\n</html>\n`,
  );
}

/** Colours of M. Okabe and K. Ito (2008), told apart by most eyes, ours first. */
const COLOURS = ["#d55e00", "#0072b2", "#009e73", "#cc79a7", "#56b4e9", "#b8a000", "#888888"];

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1b1f; --paper: #fff; --faint: #d5d5dc; --good: #0a7a3d; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6ea; --paper: #16161a; --faint: #3a3a44; --good: #5fd38d; --bad: #ff8a80; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; display: block; overflow-x: auto; }
th, td { padding: .2rem .6rem; text-align: right; border-bottom: 1px solid var(--faint); } th:first-child, td:first-child { text-align: left; }
figure { margin: 1.5rem 0; } figcaption { font-weight: 600; } svg { max-width: 100%; height: auto; }
svg text { fill: var(--ink); font: 12px system-ui, sans-serif; } .grid { stroke: var(--faint); } .axis { stroke: var(--ink); }
.goal, .pass { color: var(--good); } .miss { color: var(--bad); } .ours { font-weight: 700; }
${COLOURS.map((c, n) => `.f${n} { fill: ${c}; } .s${n} { stroke: ${c}; fill: none; } .b${n} { color: ${c}; }`).join("\n")}`;

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function figure(caption: string, svg: string): string {
  return `<figure><figcaption>${escape(caption)}</figcaption>${svg}</figure>`;
}

function legend(engines: readonly string[]): string {
  return `<p>${engines.map((engine, n) => `<span class="b${n}">●</span> ${engine}`).join(" &nbsp; ")}</p>`;
}

function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const row = (texts: readonly string[], tag: string) =>
    `<tr>${texts.map((t) => `<${tag}>${t}</${tag}>`).join("")}</tr>`;
  return `<table>${row(head, "th")}${lines.map((line) => row(line, "td")).join("")}</table>`;
}

function meansTable(rows: readonly Row[]): string {
  const metrics = known(rows, METRICS);
  const lines = enginesOf(rows).map((engine) => {
    const isCached = of(rows, engine).some((r) => r.isCached);
    return [
      engine === OURS ? `<span class="ours">${engine}</span>` : engine,
      ...metrics.map((m) => format(meanOf(of(rows, engine), m)) + (m === "× real time" && isCached ? " *" : "")),
    ];
  });
  const note = "<p>Speed by CPU time on one core, decoding left out. * measured in an earlier run.</p>";
  return table(["mean", ...metrics], lines) + note;
}

function barsTable(rows: readonly Row[]): string {
  const lines = barsOf(rows).map(({ metric, floor, goal }) => {
    const value = meanOf(of(rows, OURS), metric);
    const peer = bestPeer(rows, metric);
    const result = verdict(value, floor, goal);
    const best = peer ? `${format(peer.value)} ${peer.engine}` : "–";
    return [metric, format(value), `${floor}`, `${goal}`, `<span class="${result}">${result}</span>`, best];
  });
  const whole = wholeSongVocalAuc(of(rows, OURS));
  if (whole !== undefined) lines.push(["vocal AUC, whole songs", format(whole), "", "", "", "–"]);
  return table(["", "ours", "floor", "goal", "", "best peer"], lines);
}

function duelsTable(rows: readonly Row[]): string {
  const metrics = known(rows, DUELS);
  const lines = enginesOf(rows)
    .filter((engine) => engine !== OURS)
    .map((engine) => [engine, ...metrics.map((metric) => describeDuel(duel(rows, engine, metric)))]);
  return table(["ours: wins-ties-losses and their chance (sign test) against", ...metrics], lines);
}

/** A plotting area: maps values to places and draws its frame. */
interface Plot {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly draw: (marks: readonly string[]) => string;
}

interface Axis {
  readonly title: string;
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
  readonly isLog?: boolean;
}

const MARGIN = { left: 60, right: 20, top: 12, bottom: 44 };

function plot(width: number, height: number, horizontal: Axis, vertical: Axis): Plot {
  const place =
    ({ from, to, isLog }: Axis, start: number, end: number) =>
    (value: number) => {
      const share = isLog ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
      return Math.round(10 * (start + share * (end - start))) / 10;
    };
  const right = width - MARGIN.right;
  const bottom = height - MARGIN.bottom;
  const x = place(horizontal, MARGIN.left, right);
  const y = place(vertical, bottom, MARGIN.top);
  const frame = [
    ...horizontal.ticks.map(
      (t) => line("grid", x(t), MARGIN.top, x(t), bottom) + text(x(t), bottom + 16, `${t}`, "middle"),
    ),
    ...vertical.ticks.map(
      (t) => line("grid", MARGIN.left, y(t), right, y(t)) + text(MARGIN.left - 6, y(t) + 4, `${t}`, "end"),
    ),
    line("axis", MARGIN.left, bottom, right, bottom) + line("axis", MARGIN.left, MARGIN.top, MARGIN.left, bottom),
    text((MARGIN.left + right) / 2, height - 8, horizontal.title, "middle"),
    `<text transform="translate(14 ${(MARGIN.top + bottom) / 2}) rotate(-90)" text-anchor="middle">${escape(vertical.title)}</text>`,
  ];
  return { x, y, draw: (marks) => svg(width, height, [...frame, ...marks]) };
}

function svg(width: number, height: number, marks: readonly string[]): string {
  return `<svg viewBox="0 0 ${width} ${height}" width="${width}" role="img">${marks.join("")}</svg>`;
}

function line(name: string, x1: number, y1: number, x2: number, y2: number): string {
  return `<line class="${name}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`;
}

function text(x: number, y: number, content: string, anchor: "start" | "middle" | "end"): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}">${escape(content)}</text>`;
}

function dot(n: number, x: number, y: number, title: string): string {
  return `<circle class="f${n}" cx="${x}" cy="${y}" r="${n === 0 ? 5 : 3.5}"${n === 0 ? "" : ' opacity="0.75"'}><title>${escape(title)}</title></circle>`;
}

/** Room for a letter of a name, px. */
const LETTER_WIDTH = 6.6;
const SHARES = [0, 0.2, 0.4, 0.6, 0.8, 1];

function speedPlot(rows: readonly Row[]): string {
  const speed: Axis = {
    title: "speed (× real time, one core)",
    from: 5,
    to: 1000,
    ticks: [5, 10, 20, 50, 100, 200, 500, 1000],
    isLog: true,
  };
  const area = plot(640, 340, speed, { title: "mean beat F (0..1)", from: 0, to: 1, ticks: SHARES });
  const dots = enginesOf(rows).flatMap((engine, n) => {
    const fast = meanOf(of(rows, engine), "× real time");
    if (fast === undefined) return [];
    return [{ engine, n, x: area.x(fast), y: area.y(meanOf(of(rows, engine), "beat F")!) }];
  });
  // Peers are often equally good: each name stands on the side away from the other dots, below the names it would cover.
  const taken: { readonly from: number; readonly to: number; readonly y: number }[] = [];
  const names = [...dots]
    .sort((a, b) => a.y - b.y)
    .map(({ engine, x, y }) => {
      const width = LETTER_WIDTH * engine.length;
      const isLeft = dots.some((other) => Math.abs(other.y - y) < 14 && other.x > x && other.x < x + 150);
      const from = isLeft ? x - 8 - width : x + 8;
      const covered = taken.filter((other) => other.from < from + width && from < other.to);
      const at = Math.max(y + 4, ...covered.map((other) => other.y + 13));
      taken.push({ from, to: from + width, y: at });
      return text(from, at, engine, "start");
    });
  return area.draw([...dots.map(({ engine, n, x, y }) => dot(n, x, y, engine)), ...names]);
}

function tempoPlot(rows: readonly Row[]): string {
  const ticks = [40, 60, 80, 100, 120, 160, 200, 240];
  const tempo = (title: string): Axis => ({ title, from: 35, to: 260, ticks, isLog: true });
  const area = plot(640, 560, tempo("true tempo (BPM)"), tempo("estimated tempo (BPM)"));
  const lines = [1 / 3, 1 / 2, 1, 2, 3].map((factor) => {
    const from = Math.max(35, 35 / factor);
    const to = Math.min(260, 260 / factor);
    return line(factor === 1 ? "axis" : "grid", area.x(from), area.y(from * factor), area.x(to), area.y(to * factor));
  });
  const dots = enginesOf(rows).flatMap((engine, n) =>
    of(rows, engine)
      .filter((r) => r.tempo >= 35 && r.tempo <= 260)
      .map((r) =>
        dot(n, area.x(r.song.tempo), area.y(r.tempo), `${r.song.id} ${r.song.genre}, ${engine}: ${format(r.tempo)}`),
      ),
  );
  return area.draw([...lines, ...dots.reverse()]);
}

const BIN_MS = 5;

function errorPlot(rows: readonly Row[]): string {
  const bins = Array.from({ length: 140 / BIN_MS }, (_, i) => -70 + BIN_MS * i);
  const curves = enginesOf(rows).map((engine) => {
    const errors = of(rows, engine).flatMap((r) => r.errors);
    return bins.map((from) => errors.filter((e) => e >= from && e < from + BIN_MS).length / Math.max(1, errors.length));
  });
  const top = Math.ceil(10 * Math.max(0.1, ...curves.flat())) / 10;
  const area = plot(
    640,
    340,
    { title: "error (ms)", from: -70, to: 70, ticks: [-60, -40, -20, 0, 20, 40, 60] },
    { title: `share of beats per ${BIN_MS} ms`, from: 0, to: top, ticks: [0, top / 2, top] },
  );
  return area.draw(
    curves.map((curve, n) => {
      const points = curve.flatMap((v, i) => [bins[i]!, bins[i]! + BIN_MS].map((e) => `${area.x(e)},${area.y(v)}`));
      return `<polyline class="s${n}" stroke-width="${n === 0 ? 3 : 1.5}" points="${points.join(" ")}"/>`;
    }),
  );
}

const LINE_HEIGHT = 20;
const LEAST_NAME_WIDTH = 170;
const BARS_WIDTH = 570;

/** Rows of names with something at places 0..1. */
function namedRows(
  names: readonly string[],
  axisTitle: string,
  marks: (x: (v: number) => number, y: (i: number) => number) => string[],
): string {
  const longest = Math.max(...names.map((name) => name.length));
  const nameWidth = Math.max(LEAST_NAME_WIDTH, 16 + Math.round(LETTER_WIDTH * longest));
  const width = nameWidth + BARS_WIDTH + 20;
  const bottom = 10 + LINE_HEIGHT * names.length;
  const x = (v: number) => Math.round(10 * (nameWidth + v * BARS_WIDTH)) / 10;
  const y = (i: number) => 10 + LINE_HEIGHT * (i + 0.5);
  return svg(width, bottom + 44, [
    ...SHARES.map((v) => line("grid", x(v), 10, x(v), bottom) + text(x(v), bottom + 16, `${v}`, "middle")),
    ...names.map((name, i) => text(nameWidth - 8, y(i) + 4, name, "end")),
    text(x(0.5), bottom + 36, axisTitle, "middle"),
    ...marks(x, y),
  ]);
}

function dotPlot(rows: readonly Row[], metric: Metric): string {
  const ours = of(rows, OURS)
    .filter((r) => r.scores[metric] !== undefined)
    .sort((a, b) => a.scores[metric]! - b.scores[metric]!);
  const names = ours.map(({ song }) => `${song.id} ${song.genre}`);
  return namedRows(names, `${metric} (0..1)`, (x, y) =>
    ours.flatMap(({ song }, i) =>
      enginesOf(rows)
        .flatMap((engine, n) => {
          const score = rows.find((r) => r.song === song && r.engine === engine)?.scores[metric];
          return score === undefined ? [] : [dot(n, x(score), y(i), `${engine}: ${format(score)}`)];
        })
        .reverse(),
    ),
  );
}

function genrePlot(rows: readonly Row[], metric: Metric): string {
  const genres = [...new Set(rows.map((r) => r.song.genre))];
  const peer = bestPeer(rows, metric)?.engine;
  const shown = [OURS, ...(peer ? [peer] : [])];
  return namedRows(genres, `mean ${metric} (0..1), ${shown.join(" and ")}`, (x, y) =>
    genres.flatMap((genre, i) =>
      shown.map((engine, n) => {
        const value =
          meanOf(
            of(rows, engine).filter((r) => r.song.genre === genre),
            metric,
          ) ?? 0;
        const colour = enginesOf(rows).indexOf(engine);
        return `<rect class="f${colour}" x="${x(0)}" y="${y(i) - 7 + 7 * n}" width="${Math.max(0, x(value) - x(0))}" height="6"><title>${escape(`${engine}: ${format(value)}`)}</title></rect>`;
      }),
    ),
  );
}
