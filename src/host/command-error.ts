/**
 * What went wrong with a command, and what to do: printed in two lines, with exit code 1 or 2, and no stack.
 */
export class CommandError extends Error {
  readonly advice: string;
  /** 2 where the command line itself is wrong. */
  readonly exitCode: 1 | 2;

  constructor(message: string, advice: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.advice = advice;
    this.exitCode = exitCode;
  }
}
