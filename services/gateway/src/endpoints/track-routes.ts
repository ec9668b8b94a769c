import type { Routes } from './route.ts';

/**
 * The same routes, and a wait for those that run. A caller that disconnects ends its connection, but not a route whose commit has
 * begun. Each route ends within the time limit of its request.
 */
export function trackRoutes(routes: Routes): { routes: Routes; ended(): Promise<void> } {
  const running = new Set<Promise<unknown>>();
  const tracked = Object.entries(routes).map(([id, route]) => [
    id,
    (...args: Parameters<typeof route>) => {
      const reply = route(...args);
      // It needs nothing but memory.
      if (!(reply instanceof Promise)) return reply;
      const remove = () => running.delete(reply);
      running.add(reply);
      reply.then(remove, remove);
      return reply;
    },
  ]);
  return {
    routes: Object.fromEntries(tracked),
    async ended() {
      await Promise.allSettled(running);
    },
  };
}
