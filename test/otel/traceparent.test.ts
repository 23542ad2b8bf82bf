/** The W3C traceparent of a caller: what is taken, and what is none. */
import { describe, expect, it } from 'vitest';
import { readTraceParent } from '../../otel/traceparent.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('a traceparent', () => {
  it.each([`00-${TRACE}-${SPAN}-00`, `00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-ff`, `cc-${TRACE}-${SPAN}-01`, `cc-${TRACE}-${SPAN}-01-what-comes-later`])('E12 %s names the caller\'s span', (text) => {
    expect(readTraceParent(text)).toEqual({ traceId: TRACE, spanId: SPAN });
  });

  it.each<[string, unknown]>([
    ['nothing', undefined], ['null', null], ['a number', 7], ['a list', [`00-${TRACE}-${SPAN}-01`]], ['an empty text', ''],
    ['version ff', `ff-${TRACE}-${SPAN}-01`], ['more behind version 00', `00-${TRACE}-${SPAN}-01-x`], ['upper case', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`], ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['a short trace', `00-${TRACE.slice(1)}-${SPAN}-01`], ['no flags', `00-${TRACE}-${SPAN}`], ['a line break', `00-${TRACE}-${SPAN}-01\n`],
    ['a megabyte', `cc-${TRACE}-${SPAN}-01-${'a'.repeat(1 << 20)}`], ['white space in front', ` 00-${TRACE}-${SPAN}-01`],
  ])('E12 %s is none', (_, value) => {
    expect(readTraceParent(value)).toBeUndefined();
  });
});
