import type { StackPart } from '@shopscope/local-stack';
import type { Member } from './supervisor.ts';

/** A part of the stack has been started and waited for already; the supervisor only watches it, and starts it again. */
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
