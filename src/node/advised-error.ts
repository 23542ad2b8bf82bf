/**
 * What went wrong outside of a call, and what to do about it: two sentences for a person, and no stack.
 */
export class AdvisedError extends Error {
  readonly advice: string;
  /** Of the command line: 2 where what was typed is itself wrong. */
  readonly exitCode: 1 | 2;

  constructor(message: string, advice: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.advice = advice;
    this.exitCode = exitCode;
  }
}
