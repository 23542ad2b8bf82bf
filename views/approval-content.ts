/**
 * What the call would do, in the middle of the question: the tool's own words or its edits with the raw arguments behind
 * them, or the arguments themselves (F044, F060–F066). What the tool says of itself comes first where the arguments need
 * it to be understood, and last where what would happen stands there already.
 */
import type { Question } from '../src/core/questions.ts';
import { drawDescription } from './approval-head.ts';
import { drawEdits } from './diff.ts';
import { add, make } from './dom.ts';
import { drawLongText } from './long-text.ts';
import { visible } from './visible.ts';
import { QUESTION } from './words.ts';

/** `onShownWhole` is called when the arguments were on screen to the last character. Answers the function that stops drawing. */
export function drawContent(body: Element, question: Question, onShownWhole: () => void): () => void {
  const stops: (() => void)[] = [];
  const { preview } = question;
  switch (preview.kind) {
    case 'arguments':
      drawDescription(body, question);
      stops.push(drawArguments(section(body, QUESTION.arguments), question, onShownWhole));
      break;
    case 'text': {
      stops.push(drawLongText(section(body, QUESTION.toolSays), preview.text, { writing: 'text', label: QUESTION.toolSays }));
      stops.push(drawArguments(folded(body), question, onShownWhole));
      drawDescription(section(body, QUESTION.about), question);
      break;
    }
    case 'edits': {
      const place = section(body, QUESTION.edits);
      if (preview.summary !== undefined) add(place, make(body, 'p', { class: 'mh-summary', dir: 'auto' }, visible(body, preview.summary)));
      stops.push(drawEdits(place, preview.edits), drawArguments(folded(body), question, onShownWhole));
      drawDescription(section(body, QUESTION.about), question);
    }
  }
  return () => {
    for (const stop of stops) stop();
  };
}

function drawArguments(place: Element, question: Question, onShownWhole: () => void): () => void {
  const stop = drawLongText(place, question.arguments, { writing: 'json', label: QUESTION.arguments, copyLabel: QUESTION.copyArguments, onShownWhole });
  add(place, make(place, 'p', { class: 'mh-hash mh-muted' }, `${QUESTION.hash}: `, make(place, 'code', { 'data-mh': 'hash' }, question.hash)));
  return stop;
}

function section(body: Element, title: string): Element {
  const place = make(body, 'section', { class: 'mh-section' }, make(body, 'h3', {}, title));
  body.append(place);
  return place;
}

function folded(body: Element): Element {
  const place = make(body, 'details', { class: 'mh-section mh-raw', 'data-mh': 'raw' }, make(body, 'summary', {}, QUESTION.rawArguments));
  body.append(place);
  return place;
}
