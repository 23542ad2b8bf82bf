/**
 * The contract of tools, as a test that their author runs: what the hub would refuse, drop or cut, and what it cannot see but
 * users and agents would feel. A plain function for any test runner; it answers sentences.
 *
 * No test sees from outside whether a `describe` or a read changes something, whether `replay: 'safe'` is true, or whether a
 * message holds the text of a note. Those remain the author's word.
 */
import type { HubTool, UndoFunction } from '../api/model-hub-api.d.ts';
/** A call to try. */
export interface ToolTrial {
    /** The tool's full name. */
    readonly tool: string;
    /** Best with texts that occur nowhere else: an error message or an undo handle that holds one of them is a fault. */
    readonly input: unknown;
    /** What the call must come to; a result, empty or not, unless said otherwise. */
    readonly gives?: 'result' | 'empty' | 'error';
}
export interface Contract {
    readonly tools: readonly HubTool[];
    /** The undo function that is registered with them. */
    readonly undo?: UndoFunction;
    /** Really run, one after the other, over whatever the tools were made with: give them a vault that may change. */
    readonly trials?: readonly ToolTrial[];
}
/**
 * Every fault as a sentence; an empty list is a pass. Nothing is run while a declaration is at fault. Each trial runs its
 * handler twice, the first time with a signal that has already fired; the undos run at the end, the last write first.
 */
export declare function contractFaults({ tools, undo, trials }: Contract): Promise<readonly string[]>;
