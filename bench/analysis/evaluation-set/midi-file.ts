import type { Style } from "./genres.ts";
import { DRUMS, type Player, type Score } from "./score.ts";

const TICKS_PER_BEAT = 960;
/** MIDI's default tempo, 120 BPM, so that a tick is a fixed 0.52 ms whatever the song's tempo. */
const TICKS_PER_SECOND = 2 * TICKS_PER_BEAT;
const DRUM_CHANNEL = 9;

/** Channel, program when the style names none, volume 0..127 and pan 0..127 of a player. */
const SEATS: Partial<Record<Player, { channel: number; program: number; volume: number; pan: number }>> = {
  bass: { channel: 0, program: 33, volume: 105, pan: 64 },
  comp: { channel: 1, program: 0, volume: 82, pan: 44 },
  pad: { channel: 2, program: 48, volume: 62, pan: 84 },
  lead: { channel: 3, program: 73, volume: 100, pan: 70 },
};

/** A score as a Standard MIDI File, format 0; voices are left out, they are sung elsewhere. */
export function midiFile(score: Score, style: Style): Buffer {
  const events: { tick: number; order: number; bytes: number[] }[] = [];
  const add = (seconds: number, order: number, ...bytes: number[]) =>
    events.push({ tick: Math.max(0, Math.round(seconds * TICKS_PER_SECOND)), order, bytes });
  for (const [player, { channel, program, volume, pan }] of Object.entries(SEATS)) {
    const chosen = style.programs?.[player as keyof NonNullable<Style["programs"]>] ?? program;
    add(0, 0, 0xc0 | channel, chosen);
    add(0, 0, 0xb0 | channel, 7, volume);
    add(0, 0, 0xb0 | channel, 10, pan);
  }
  add(0, 0, 0xc0 | DRUM_CHANNEL, style.drumKit ?? 0);
  const note = (channel: number, pitch: number, velocity: number, time: number, seconds: number) => {
    add(time, 2, 0x90 | channel, pitch, Math.round(1 + 126 * velocity));
    add(time + seconds, 1, 0x80 | channel, pitch, 0);
  };
  for (const { player, pitch, velocity, time, seconds } of score.notes) {
    const seat = SEATS[player];
    if (seat) note(seat.channel, pitch, velocity, time, seconds);
  }
  for (const { drum, time, velocity } of score.hits) note(DRUM_CHANNEL, DRUMS[drum], velocity, time, 0.1);
  add(score.seconds, 3, 0xff, 0x2f, 0);

  events.sort((a, b) => a.tick - b.tick || a.order - b.order);
  const track: number[] = [];
  let tick = 0;
  for (const event of events) {
    track.push(...variableLength(event.tick - tick), ...event.bytes);
    tick = event.tick;
  }
  const header = Buffer.from([
    ...Buffer.from("MThd"),
    0,
    0,
    0,
    6,
    0,
    0,
    0,
    1,
    TICKS_PER_BEAT >> 8,
    TICKS_PER_BEAT & 255,
  ]);
  const chunk = Buffer.alloc(8);
  chunk.write("MTrk");
  chunk.writeUInt32BE(track.length, 4);
  return Buffer.concat([header, chunk, Buffer.from(track)]);
}

function variableLength(value: number): number[] {
  const bytes = [value & 127];
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift(128 | (rest & 127));
  return bytes;
}
