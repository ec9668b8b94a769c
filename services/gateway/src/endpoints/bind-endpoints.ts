import type { Operation } from '../contract/operation.ts';
import type { Reply } from '../http/reply/reply.ts';
import type { Endpoint } from './define-endpoint.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * Returns the operations with the endpoints bound to `deps`, and `ended`, which waits for the running handlers. A caller that disconnects
 * ends its connection, but not a handler whose commit has begun. Each handler ends within the time limit of its request.
 */
export function bindEndpoints(
  operations: readonly Operation[],
  deps: Dependencies,
): { operations: Operation[]; ended(): Promise<void> } {
  const running = new Set<Promise<Reply>>();
  const track = (reply: Reply | Promise<Reply>) => {
    // Such a handler needed nothing but memory.
    if (!(reply instanceof Promise)) return reply;
    const remove = () => running.delete(reply);
    running.add(reply);
    reply.then(remove, remove);
    return reply;
  };
  const isEndpoint = (operation: Operation): operation is Endpoint => 'bind' in operation;
  return {
    operations: operations.map((operation) => {
      if (!isEndpoint(operation)) return operation;
      const bound = operation.bind(deps);
      return { ...bound, handle: (request) => track(bound.handle(request)) } satisfies typeof bound;
    }),
    async ended() {
      await Promise.allSettled(running);
    },
  };
}
