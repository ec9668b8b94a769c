import type { StackPart } from '@shopscope/local-stack';
import type { Member } from './supervisor.ts';

/**
 * A data server as a member of the supervisor. It is already started, so the supervisor only watches and restarts it.
 */
export function watchedPart(part: StackPart): Member {
  let startedBefore = true;
  return {
    name: part.name,
    get pid() {
      return part.pid;
    },
    async start() {
      if (!startedBefore) await part.start();
      startedBefore = false;
    },
    exited: part.exited,
    stop: part.stop,
  };
}
