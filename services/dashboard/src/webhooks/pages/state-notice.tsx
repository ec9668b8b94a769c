import { Notice } from '../../app/components/page.tsx';
import { Time } from '../../app/components/time.tsx';
import { ownValue } from '../../app/domain/own-value.ts';
import type { EndpointView } from '../domain/endpoint-view.ts';

const reasons: Readonly<Record<string, string>> = {
  gone: 'It answered 410 Gone, which says that it wants no more messages.',
  no_success: 'No message succeeded for 5 days, and at least 20 attempts failed.',
};

/** Why a webhook receives nothing, and what happens to its events. */
export function StateNotice({ endpoint, isAdmin }: { endpoint: EndpointView; isAdmin: boolean }) {
  const { state, disabledReason, failingSinceMs, failures } = endpoint;
  if (state === 'disabled') {
    return (
      <Notice kind="danger" title="This webhook is disabled">
        {ownValue(reasons, disabledReason) ?? 'Its receiver does not accept messages.'} Events that happen now are not
        sent; a replay can send them later.{' '}
        {isAdmin ? 'Mend the receiver, then revive the webhook.' : 'An admin of this workspace can revive it.'}
      </Notice>
    );
  }
  if (state === 'paused') {
    return (
      <Notice title="This webhook is paused">
        Its events wait for at most 30 days, and are sent when it is active again.
      </Notice>
    );
  }
  if (failingSinceMs === undefined) return null;
  return (
    <Notice kind="warning" title="This webhook is failing">
      No attempt has succeeded since <Time ms={failingSinceMs} />: {failures} attempts have failed. Messages are
      repeated for days. After 5 days without a success the webhook is disabled.
    </Notice>
  );
}
