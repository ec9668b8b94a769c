/** The characters that one step reads and writes. Selecting as many takes about 0.2 ms. */
export const stepCharacters = 32_768;

/** It has no stack, because it never leaves this module. */
const exceeded = Object.freeze({ name: 'the work of a step is exceeded' });

/** Counts the work of a document, in characters that are read from stored JSON or written as names, and bounds it for one step. */
export class Work {
  /** The work of the document until now. */
  done = 0;
  private readonly perStep: number;
  private limit = Number.POSITIVE_INFINITY;

  constructor(perStep = stepCharacters) {
    this.perStep = perStep;
  }

  add(characters: number): void {
    this.done += characters;
    if (this.done > this.limit) throw exceeded;
  }

  /** Returns the result of `run`. Undefined if it needs more than the work of one step: then it has ended in the middle. */
  attempt<T>(run: () => T): T | undefined {
    this.limit = this.done + this.perStep;
    try {
      return run();
    } catch (error) {
      if (error !== exceeded) throw error;
      return undefined;
    } finally {
      this.limit = Number.POSITIVE_INFINITY;
    }
  }
}
