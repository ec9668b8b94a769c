import type { Deadline, KeyedSlots } from '@shopscope/async';

/** Runs the work when it is the turn of the workspace. The deadline of the call ends the wait, and the work then never begins. */
export async function inTurn<T>(
  slots: Pick<KeyedSlots, 'take'>,
  workspaceId: string,
  deadline: Pick<Deadline, 'race'>,
  work: () => Promise<T>,
): Promise<T> {
  const release = await slots.take(workspaceId, (turn) => deadline.race(turn));
  try {
    return await work();
  } finally {
    release();
  }
}
