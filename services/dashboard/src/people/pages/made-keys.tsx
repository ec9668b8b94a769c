import { type ReactNode, useContext } from 'react';
import { FailedFormContext, useProblemOf } from '../../app/components/field.tsx';
import type { KeySummary } from '../../keys/domain.ts';
import { LastUsed } from '../../keys/pages.ts';

/** The valid keys that a person created, with ticks for the keys to revoke, in the field `keys`. At first, nothing is ticked. */
export function MadeKeys(props: {
  keys: readonly KeySummary[];
  /** Undefined if the reader is the owner. */
  owner: string | undefined;
}) {
  const { keys, owner } = props;
  const ticked = useContext(FailedFormContext)?.values?.keys?.split(' ') ?? [];
  const error = useProblemOf('keys');
  if (keys.length === 0)
    return (
      <p className="text-quiet">{owner === undefined ? 'You' : <bdi>{owner}</bdi>} made no API key that is valid.</p>
    );
  return (
    <fieldset className="group grid gap-2" aria-describedby="made-keys-help">
      <legend className="mb-1 font-medium">
        Revoke API keys that {owner === undefined ? 'you' : <bdi>{owner}</bdi>} made
      </legend>
      <p id="made-keys-help" className="text-sm text-quiet">
        A key stays valid until it is revoked, and whoever made it may have kept it. Requests with a revoked key get{' '}
        <span className="code">401</span> within 60 seconds.
      </p>
      <ul className="max-h-[288px] overflow-auto rounded border">
        {keys.length > 1 && (
          <Choice value="all" isTicked={ticked.includes('all')} isInvalid={error !== undefined}>
            <span className="font-medium">All {keys.length} keys</span>
          </Choice>
        )}
        {keys.map(({ id, label, prefix, lastUsed }) => (
          <Choice
            key={id}
            value={id}
            isTicked={ticked.includes(id)}
            isInvalid={error !== undefined && keys.length === 1}
          >
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <bdi>{label}</bdi> <span className="code whitespace-nowrap text-quiet">{prefix}</span>
            </span>
            <span className="text-sm whitespace-nowrap text-quiet">
              Last used: <LastUsed value={lastUsed} />
            </span>
          </Choice>
        ))}
      </ul>
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}

function Choice(props: { value: string; isTicked: boolean; isInvalid: boolean; children: ReactNode }) {
  return (
    <li className="border-t first:border-t-0">
      <label className="grid min-h-10 grid-cols-[16px_minmax(0,1fr)] items-center gap-x-3 px-3 py-2">
        <input
          type="checkbox"
          name="keys"
          value={props.value}
          defaultChecked={props.isTicked}
          aria-invalid={props.isInvalid ? true : undefined}
          className="size-4 accent-accent"
        />
        <span className="flex min-w-0 flex-wrap items-baseline justify-between gap-x-4">{props.children}</span>
      </label>
    </li>
  );
}

const maxShown = 5;

/** Lists the pending invitations that end with the role of their sender. */
export function EndedInvitations({ addresses, sender }: { addresses: readonly string[]; sender: string | undefined }) {
  if (addresses.length === 0) return null;
  const more = addresses.length - maxShown;
  return (
    <p className="[overflow-wrap:anywhere]">
      {addresses.length === 1 ? 'The pending invitation' : `The ${addresses.length} pending invitations`} that{' '}
      {sender === undefined ? 'you' : <bdi>{sender}</bdi>} sent will be withdrawn:{' '}
      {addresses.slice(0, maxShown).join(', ')}
      {more > 0 && ` and ${more} more`}.
    </p>
  );
}
