import type { RequestHandler } from 'express';

/**
 * One middleware out of a list: each runs when the one before calls `next`. What one throws, or rejects with, ends the list.
 * None of them is bound to a path, so express need not match the path again before each.
 */
export function compose(steps: readonly RequestHandler[]): RequestHandler {
  return (request, response, done) => {
    let at = 0;
    const next = (error?: unknown): void => {
      const step = error ? undefined : steps[at++];
      if (!step) done(error);
      else run(step);
    };
    const run = (step: RequestHandler): void => {
      try {
        const running = step(request, response, next) as unknown;
        if (running instanceof Promise) running.catch(done);
      } catch (thrown) {
        done(thrown);
      }
    };
    next();
  };
}
