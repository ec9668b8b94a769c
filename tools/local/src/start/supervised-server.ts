import type { StackPart } from '@shopscope/local-stack';
import type { Member } from './supervisor.ts';

/**
 * Wraps a data server as a member of the supervisor. The stack has already started the server, so the first `start` does
 * nothing. Each later `start` restarts the server after it has ended.
 */
export function supervisedServer(server: StackPart): Member {
  let isFirstStart = true;
  return {
    name: server.name,
    get pid() {
      return server.pid;
    },
    async start() {
      if (!isFirstStart) await server.start();
      isFirstStart = false;
    },
    exited: server.exited,
    stop: server.stop,
  };
}
