import type { Operation } from '../contract/operation.ts';
import type { Reply } from '../http/reply/reply.ts';
import type { ServedOperation, ValidatedRequest } from '../http/request.ts';
import type { Endpoint } from './define-endpoint.ts';
import type { EveryEnvironment } from './dependencies.ts';

/**
 * Returns the operations with the endpoints bound to `deps`, and `ended`, which waits for the running handlers. A caller that disconnects
 * ends its connection, but not a handler whose commit has begun. Each handler ends within the time limit of its request.
 *
 * The environment of the key chooses the dependencies of a request. A request without a key reads public documents, which are the same in
 * both environments.
 */
export function bindEndpoints(
  operations: readonly Operation[],
  deps: EveryEnvironment,
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
      const bound = { live: operation.bind(deps.live), test: operation.bind(deps.test) };
      const boundFor = ({ caller }: ValidatedRequest) => bound[caller?.keyEnvironment ?? 'live'];
      return {
        ...bound.live,
        ...(bound.live.begin && { begin: (request: ValidatedRequest) => boundFor(request).begin?.(request) }),
        handle: (request: ValidatedRequest) => track(boundFor(request).handle(request)),
      } as ServedOperation;
    }),
    async ended() {
      await Promise.allSettled(running);
    },
  };
}
