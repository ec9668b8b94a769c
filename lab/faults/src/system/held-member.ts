import type { Member } from '@shopscope/local';

export type HeldMember = Member & {
  /** Postpones every restart of the process until `release` is called. */
  hold(): void;
  release(): void;
};

/** Wraps a member of the supervisor so that its process stays ended for as long as a fault lasts. */
export function holdable(member: Member): HeldMember {
  let held: PromiseWithResolvers<void> | undefined;
  return {
    name: member.name,
    get pid() {
      return member.pid;
    },
    async start() {
      await held?.promise;
      await member.start();
    },
    exited: () => member.exited(),
    stop: () => member.stop(),
    hold() {
      held ??= Promise.withResolvers();
    },
    release() {
      held?.resolve();
      held = undefined;
    },
  };
}
