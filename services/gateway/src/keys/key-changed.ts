import type { Subscription } from '@shopscope/kafka';
import { type KeyChanged, keyChanged } from '@shopscope/proto';
import type { AuthenticateKey } from './authenticate-key.ts';

/** Invalidates cached keys when a key, workspace or plan has changed, and then acknowledges the change. */
export function keyChangedSubscription(
  keys: Pick<AuthenticateKey, 'invalidate'>,
  onEvent: () => void,
  acknowledge: (change: KeyChanged) => void,
): Subscription<KeyChanged> {
  return {
    type: keyChanged,
    async handle(events) {
      for (const { event } of events) {
        onEvent();
        keys.invalidate(event);
        acknowledge(event);
      }
    },
  };
}
