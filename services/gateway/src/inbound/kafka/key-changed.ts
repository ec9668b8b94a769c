import type { Subscription } from '@shopscope/kafka';
import { type KeyChanged, keyChanged } from '@shopscope/proto';
import type { AuthenticateKey } from '../../operations/authenticate-key.ts';

/** A key, workspace or plan has changed: what is remembered of it ends now. */
export function onKeyChanged(keys: Pick<AuthenticateKey, 'invalidate'>, heard: () => void): Subscription<KeyChanged> {
  return {
    type: keyChanged,
    async handle(events) {
      for (const { event } of events) {
        heard();
        keys.invalidate(event);
      }
    },
  };
}
