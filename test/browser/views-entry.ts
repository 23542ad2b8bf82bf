/** What a test's page has of the views: all of them, on `window.views`. */
import { drawApproval, type ApprovalView } from '../../views/approval.ts';
import { drawCalls } from '../../views/calls.ts';
import { drawEdits } from '../../views/diff.ts';
import { drawTools } from '../../views/tools-settings.ts';
import { drawTraces, type TracesView } from '../../views/traces-settings.ts';
import { drawUndoNotice } from '../../views/undo-notice.ts';
import { visible } from '../../views/visible.ts';

const views = { drawApproval, drawCalls, drawEdits, drawTools, drawTraces, drawUndoNotice, visible };

export type Views = typeof views;

declare global {
  interface Window {
    views: Views;
    /** What a view under test told its caller, as `name:value`. */
    told: string[];
    /** The question that was drawn last. */
    question: ApprovalView;
    /** The settings of traces that were drawn last. */
    traces: TracesView;
  }
}

window.views = views;
window.told = [];
