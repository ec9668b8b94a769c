import type { Environment } from '@shopscope/environment';
import { PoisonError, type Received } from '@shopscope/kafka';

/** Throws for an event in the topic of another environment. It becomes a dead letter. Work of the system has no environment, and is live. */
export function requireEnvironment(environment: Environment, events: readonly Pick<Received<unknown>, 'meta'>[]): void {
  for (const { meta } of events) {
    const named = meta.environment ?? 'live';
    if (named !== environment) throw new PoisonError(`the event is of the ${named} environment`);
  }
}
