import { RefreshLink } from '../../app/components/button.tsx';
import { Notice } from '../../app/components/page.tsx';
import { clockTime, useTimeZone } from '../../app/components/time.tsx';
import { useLive } from '../../app/pages/live.ts';
import type { KeyStatus } from './load-key-status.ts';

/** The number of API servers that refuse a recently revoked key. It is updated until all have reported, or the minute has passed. */
export function RevocationProgress({ path, loaded }: { path: string; loaded: KeyStatus }) {
  const { revocation } = useLive(loaded, path, {
    everyMs: 300,
    isDone: (status) => status.revocation?.state !== 'waiting',
  }).data;
  const timeZone = useTimeZone();
  if (!revocation) return null;
  const { state, gateways, refusing, afterMs, effectiveByMs } = revocation;
  const share = `Refused at ${refusing} of ${gateways} ${gateways === 1 ? 'API server' : 'API servers'}`;
  const after =
    afterMs === undefined ? '' : ` after ${afterMs < 100 ? 'less than 0.1' : (afterMs / 1_000).toFixed(1)} s`;
  const bound = `by ${clockTime(effectiveByMs, timeZone)} (${timeZone})`;
  if (state === 'refused') {
    return (
      <Notice kind="ok" title="The key is revoked">
        {share}
        {after}.
      </Notice>
    );
  }
  if (state === 'elapsed') {
    return (
      <Notice kind="ok" title="The key is revoked">
        Every API server refuses it: more than 60 seconds have passed.
      </Notice>
    );
  }
  return (
    <Notice kind="info" title="The key is revoked">
      {gateways === 0 && 'No API server has reported yet. Every API server refuses the key within 60 seconds'}
      {gateways > 0 && refusing === 0 && `${share} so far. All of them refuse it within 60 seconds`}
      {refusing > 0 && `${share}${after}. The others refuse it within 60 seconds`}, {bound}.
      <RefreshLink />
    </Notice>
  );
}
