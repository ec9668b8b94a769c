import { Badge } from '../../app/components/badge.tsx';
import { RowLink } from '../../app/components/button.tsx';
import { Quiet } from '../../app/components/page.tsx';
import { Time, useNow } from '../../app/components/time.tsx';
import { expiresSoonMs } from '../domain/key-expiry.ts';
import type { KeyView } from '../operations/keys.ts';
import { accessName, scopeTexts } from './access-levels.ts';

/** The state of a key as a word. If the key expires or has expired, the date is shown. A key that expires soon is marked. */
export function KeyState(props: { value: Pick<KeyView, 'state' | 'expiresAtMs'>; withEnd?: boolean }) {
  const nowMs = useNow();
  const { state, expiresAtMs } = props.value;
  if (state === 'revoked') return <Badge tone="danger">Revoked</Badge>;
  if (state === 'active' && expiresAtMs !== undefined && expiresAtMs - nowMs < expiresSoonMs) {
    return (
      <Badge tone="warning">
        Expires <Time ms={expiresAtMs} />
      </Badge>
    );
  }
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-2">
      {state === 'active' ? <Badge tone="ok">Active</Badge> : <Badge tone="neutral">Expired</Badge>}
      {props.withEnd && expiresAtMs !== undefined && (
        <span className="text-sm text-quiet">
          {state === 'active' && 'until '}
          <Time ms={expiresAtMs} as="date" />
        </span>
      )}
    </span>
  );
}

export function LastUsed({ value }: { value: KeyView['lastUsed'] }) {
  if (value === 'never') return <Quiet>Never</Quiet>;
  if (value === 'not_recorded') return <Quiet>Not recorded</Quiet>;
  return <Time ms={value.atMs} />;
}

/** The name of a key's access. Its scopes are shown on demand, even without script. */
export function Access({ value }: { value: Pick<KeyView, 'preset' | 'scopes'> }) {
  return (
    <details className="group">
      <summary className="inline-flex cursor-pointer list-none items-baseline whitespace-nowrap gap-1 rounded underline decoration-dotted underline-offset-4 [&::-webkit-details-marker]:hidden">
        {accessName(value)}
        <span className="sr-only">, show scopes</span>
      </summary>
      <ul className="grid py-1 text-left">
        {value.scopes.map((scope) => (
          <li key={scope} className="code whitespace-nowrap text-quiet" title={scopeTexts[scope]}>
            {scope}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The label of a key, as a link to its page. `base` is the path of the workspace. */
export const KeyLink = ({ base, id, label }: { base: string; id: string; label: string }) => (
  <RowLink to={`${base}/settings/keys/${id}`}>{label}</RowLink>
);
