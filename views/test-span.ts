/** A test span as it was sent: the address, the names of the headers, and the body to its last character. */
import type { TestSpanResult } from '../otel/exporter/test-span.ts';
import { add, fill, make } from './dom.ts';
import { linkOut } from './link-out.ts';
import { drawLongText } from './long-text.ts';
import { visible } from './visible.ts';
import { TEST_SPAN } from './words.ts';

/** As it is shown: with the address where its trace can be looked at, if there is one. */
export type TestResult = Omit<TestSpanResult, 'span'> & { readonly traceUrl?: string };

/** Answers the function that stops drawing. */
export function drawTestSpan(element: HTMLElement, { url, headers, body, arrived, trace, traceUrl }: TestResult): () => void {
  const fact = (name: string, value: Node): HTMLElement => make(element, 'div', { class: 'mh-fact' }, make(element, 'dt', {}, name), make(element, 'dd', {}, value));
  const code = (text: string): HTMLElement => make(element, 'code', {}, visible(element, text));
  const id = code(trace);
  const box = make(element, 'div', { class: 'mh-sent-body', tabindex: '0', role: 'region', 'aria-label': TEST_SPAN.body });
  fill(element, make(element, 'h3', {}, TEST_SPAN.title),
    make(element, 'dl', { class: 'mh-facts' },
      fact(TEST_SPAN.request, code(`POST ${url}`)), fact(TEST_SPAN.headers, make(element, 'span', {}, code(headers.join(', ')), ` ${TEST_SPAN.noValues}`)),
      fact(TEST_SPAN.trace, arrived && traceUrl !== undefined ? linkOut(element, traceUrl, id) : id)));
  add(element, box);
  return drawLongText(box, body, { writing: 'json', label: TEST_SPAN.body, copyLabel: TEST_SPAN.copy });
}
