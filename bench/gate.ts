/**
 * What the gate costs: an allowed read with five fields, side by side with its floor, the MCP SDK in memory and the AI
 * SDK's tool loop. Bars: at most 1.5 × the floor, half of the MCP SDK, a quarter of the AI SDK, one after another and 64 at once.
 */
import { aiSdk, floor, gate, mcp, type Shape } from './gate-subjects.ts';
import { bar, measure, report, table, type Bar } from './measure.ts';

const ROUNDS = 15;
const WARM_UP = 4;
const COUNT = 2_048;

const bars: { [name: string]: Bar } = {};
const rows: string[][] = [];
for (const shape of ['sequential', '64 at once'] as const satisfies readonly Shape[]) {
  const subjects = [gate(shape), floor(shape), await mcp(shape), aiSdk(shape)];
  const micros = await measure(subjects, { rounds: ROUNDS, count: COUNT, warmUp: WARM_UP });
  for (const { close } of subjects) await close?.();
  const ours = micros.get('gate')!;
  for (const [name, value] of micros) rows.push([shape, name, value.toFixed(1), (ours / value).toFixed(2)]);
  const key = shape.replaceAll(' ', '_');
  bars[`${key}_vs_floor`] = bar(ours / micros.get('floor')!, 1.5);
  bars[`${key}_vs_mcp_sdk`] = bar(ours / micros.get('mcp sdk in memory')!, 0.5);
  bars[`${key}_vs_ai_sdk`] = bar(ours / micros.get('ai sdk tool loop')!, 0.25);
}
table(['shape', 'what', 'µs a call', 'gate ÷ it'], rows);
report(bars);
