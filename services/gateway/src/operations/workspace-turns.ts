import type { Deadline } from '@shopscope/async';

/**
 * Lets the batches of one workspace run a few at a time, so that other workspaces' requests wait behind few of them, however many
 * its keys may send at once.
 *
 * - Order: the batches of a workspace begin in the order of their calls. Workspaces do not wait for each other.
 * - A batch begins when the domains of the workspace's running batches leave room for its own, or when none runs.
 * - The deadline passes or the caller disconnects while its batch waits -> the batch never begins.
 * - Bound: what waits holds a concurrency slot of its key.
 */
export interface WorkspaceTurns {
  run<T>(batch: { workspaceId: string; domains: number; deadline: Deadline }, work: () => Promise<T>): Promise<T>;
}

/** Two full batches: one is prepared while the other one waits for a service. */
const maxDomains = 200;

interface Queue {
  running: number;
  waiting: { domains: number; begin(): void }[];
}

export function createWorkspaceTurns(): WorkspaceTurns {
  const queues = new Map<string, Queue>();

  const beginNext = (queue: Queue) => {
    for (let next = queue.waiting[0]; next; next = queue.waiting[0]) {
      if (queue.running > 0 && queue.running + next.domains > maxDomains) return;
      queue.waiting.shift();
      queue.running += next.domains;
      next.begin();
    }
  };

  return {
    async run({ workspaceId, domains, deadline }, work) {
      const queue = queues.get(workspaceId) ?? { running: 0, waiting: [] };
      queues.set(workspaceId, queue);
      const turn = Promise.withResolvers<void>();
      const entry = { domains, begin: turn.resolve };
      queue.waiting.push(entry);
      beginNext(queue);
      try {
        await deadline.race(turn.promise);
        // Throws when the caller has disconnected.
        deadline.timeoutMs();
        return await work();
      } finally {
        const place = queue.waiting.indexOf(entry);
        if (place >= 0) queue.waiting.splice(place, 1);
        else queue.running -= domains;
        beginNext(queue);
        if (queue.running === 0 && queue.waiting.length === 0) queues.delete(workspaceId);
      }
    },
  };
}
