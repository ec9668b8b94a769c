import { PoisonError, type Received } from '@shopscope/kafka';
import type { Dependencies } from '../../operations/dependencies.ts';

/** Throws for an event of the other environment, so that it becomes a dead letter. Events of the system have no environment: they are live. */
export function requireEnvironment(
  { environment }: Pick<Dependencies, 'environment'>,
  { meta, topic }: Pick<Received<unknown>, 'meta' | 'topic'>,
): void {
  const actual = meta.environment ?? 'live';
  if (actual !== environment) throw new PoisonError(`the environment ${actual} has no events in ${topic}`);
}
