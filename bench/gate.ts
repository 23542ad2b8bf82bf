/**
 * What the gate costs: an allowed read with five fields, side by side with its floor, the MCP SDK in memory and the AI
 * SDK's tool loop. Bars: at most 1.5 × the floor, half of the MCP SDK, a quarter of the AI SDK, one after another and 64 at once.
 */
import { aiSdk, floor, gate, mcp, SHAPES } from './gate-subjects.ts';
import { bar, measure, report, table, type Bar } from './measure.ts';

const subjects = Object.fromEntries(SHAPES.flatMap((shape) => [
  [`gate, ${shape}`, () => gate(shape)],
  [`floor, ${shape}`, () => floor(shape)],
  [`MCP SDK in memory, ${shape}`, () => mcp(shape)],
  [`AI SDK tool loop, ${shape}`, () => aiSdk(shape)],
]));
const micros = await measure(subjects, { rounds: 15, count: 1_024, warmUp: 15 });

const bars: { [name: string]: Bar } = {};
const rows: string[][] = [];
for (const shape of SHAPES) {
  const ours = micros.get(`gate, ${shape}`)!;
  const times = (what: string, limit: number, name: string): void => {
    const theirs = micros.get(`${what}, ${shape}`)!;
    rows.push([shape, what, theirs.toFixed(1), (ours / theirs).toFixed(2), String(limit)]);
    bars[`${shape.replaceAll(' ', '_')}_vs_${name}`] = bar(ours / theirs, limit);
  };
  rows.push([shape, 'gate', ours.toFixed(1), '1.00', '']);
  times('floor', 1.5, 'floor');
  times('MCP SDK in memory', 0.5, 'mcp_sdk');
  times('AI SDK tool loop', 0.25, 'ai_sdk');
}
table(['shape', 'what', 'µs a call', 'gate ÷ it', 'at most'], rows);
report(bars);
