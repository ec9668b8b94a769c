import type { RequestHandler } from 'express';

/**
 * Composes a list of middleware into one. Each runs when the previous one calls `next`. An error ends the list.
 * None is bound to a path, so express does not match the path before each.
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
