import { TextLink } from '../../app/components/button.tsx';
import { resetTime } from '../../app/components/formats.ts';
import { Notice } from '../../app/components/page.tsx';
import type { Watchlist } from '../operations/watchlists.ts';

interface Paused {
  paused: Watchlist['rescans_paused'];
  isAdmin: boolean;
  /** The end of the period. */
  endMs: number;
}

/** Shows why the rescans of a watchlist pause, and what ends the pause. */
export function RescansPaused({ paused, isAdmin, endMs }: Paused) {
  if (paused === null) return null;
  if (paused === 'key_revoked') {
    return (
      <Notice kind="danger" title="Rescans are paused: their key was revoked, has expired or has lost its scope">
        Changes of the stores continue, when other scans find them.{' '}
        {isAdmin ? (
          <>
            <a href="#rescans" className="link">
              Set the interval again
            </a>{' '}
            to resume them. From then on, they bill the key Dashboard.
          </>
        ) : (
          'An admin of this workspace resumes them by setting the interval again.'
        )}
      </Notice>
    );
  }
  const isBudget = paused === 'budget_exhausted';
  const spent = isBudget ? 'the budget of this watchlist' : 'the allowance of this workspace';
  return (
    <Notice kind="warning" title={`Rescans are paused: ${spent} is spent`}>
      They resume by themselves on {resetTime(endMs)}
      {isBudget ? ', or with a larger budget' : ', or when an admin sets the interval again after a larger plan'}.
      Changes of the stores continue, when other scans find them.
    </Notice>
  );
}

/** Names the watchlists of a page whose rescans need an admin. */
export function RevokedKeys({ watchlists, base }: { watchlists: readonly Watchlist[]; base: string }) {
  const revoked = watchlists.filter(({ rescans_paused: paused }) => paused === 'key_revoked');
  if (revoked.length === 0) return null;
  return (
    <Notice kind="danger" title="Rescans are paused, because their key was revoked">
      An admin sets the interval again on the page of each:{' '}
      {revoked.map(({ id, name }, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <TextLink to={`${base}/${id}#rescans`}>
            <bdi>{name}</bdi>
          </TextLink>
        </span>
      ))}
      .
    </Notice>
  );
}
