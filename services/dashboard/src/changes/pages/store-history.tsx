import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { TextLink } from '../../app/components/button.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { resetTime } from '../../app/components/formats.ts';
import { Card, Notice } from '../../app/components/page.tsx';
import { useSearchWith } from '../../app/components/search.tsx';
import { Time } from '../../app/components/time.tsx';
import type { FailedForm } from '../../app/pages/page-failure.ts';
import { asWords, StoreSignals } from '../../stores/pages.ts';
import { UnitsLeft } from '../../usage/pages.ts';
import type { loadHistory } from './load-history.ts';

type LoadedHistory = NonNullable<Awaited<ReturnType<typeof loadHistory>>>;

interface StoreHistoryProps {
  loaded: LoadedHistory;
  /** The path of the workspace. */
  base: string;
  failed: FailedForm | undefined;
}

/** The history of one store, beside the changes. It is read when the person has seen the price. */
export function StoreHistory({ loaded, base, failed }: StoreHistoryProps) {
  const { domain, history } = loaded;
  const searchWith = useSearchWith();
  const title = useRef<HTMLHeadingElement>(null);
  const { hash } = useLocation();
  // The link of a change leads here, also without a new document.
  useEffect(() => {
    if (hash === '#history') title.current?.focus({ preventScroll: true });
  }, [hash]);
  return (
    <section id="history" aria-labelledby="history-title" className="grid scroll-mt-4 content-start gap-3">
      <div className="flex items-start justify-between gap-2">
        <h2 id="history-title" ref={title} tabIndex={-1} className="min-w-0 rounded text-lg">
          History of <span className="code [overflow-wrap:anywhere]">{domain}</span>
        </h2>
        <Link
          to={searchWith({ store: undefined, history: undefined })}
          preventScrollReset
          aria-label="Close the history"
          className="grid size-10 shrink-0 place-items-center rounded text-quiet hover:bg-sunken hover:text-text md:size-8"
        >
          <X aria-hidden className="size-4" />
        </Link>
      </div>
      <Card className="grid gap-4">
        {history ? <ReadHistory history={history} /> : <Unread domain={domain} base={base} />}
        <ReadForms loaded={loaded} base={base} failed={failed} />
      </Card>
    </section>
  );
}

const Unread = ({ domain, base }: { domain: string; base: string }) => (
  <p>
    The history has every confirmed change of this store, as far back as the plan reaches.{' '}
    <TextLink to={`${base}/stores?${new URLSearchParams({ domain })}`}>Its profile</TextLink> has the last five.
  </p>
);

function ReadHistory({ history: { atMs, newer, page } }: { history: NonNullable<LoadedHistory['history']> }) {
  const { signals, fromMs } = page;
  return (
    <>
      <p className="text-sm text-quiet">
        Read <Time ms={atMs} />. It has the changes since <Time ms={fromMs} as="date" />
        {newer !== '' && ', without the newest ones'}. Opening it again bills nothing.
      </p>
      {signals.length === 0 ? (
        <p>{newer === '' ? 'No change was confirmed in this time.' : 'There are no older changes.'}</p>
      ) : (
        <StoreSignals signals={signals} nameOf={asWords} />
      )}
    </>
  );
}

/** The forms that cost a history query, or why nobody can read now. */
function ReadForms({ loaded: { domain, history, allowance, token }, base, failed }: StoreHistoryProps) {
  const searchWith = useSearchWith();
  const { left, endMs } = allowance;
  const isSpent = left?.history_query === 0;
  const next = history?.page.next ?? null;
  // A failed form may have been billed. The same form then bills nothing more, until the page is opened anew.
  const form = (newer: string) => (
    <>
      <input type="hidden" name="domain" value={domain} />
      <input type="hidden" name="newer" value={newer} />
      <input type="hidden" name="token" value={failed?.values.token ?? token} />
    </>
  );
  return (
    <div className="grid gap-3">
      {isSpent && (
        <Notice kind="warning" title="The history queries of this period are used up">
          Histories can be read again on {resetTime(endMs)}, or with{' '}
          <TextLink to={`${base}/settings/plan`}>another plan</TextLink>.
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        {history && next !== null && (
          <PostForm hasOwnNotice className="contents">
            {form(history.id)}
            <SubmitButton kind="secondary" busy="Reading…" disabled={isSpent}>
              Read older changes
            </SubmitButton>
          </PostForm>
        )}
        {history?.newer && (
          <Link to={`${searchWith({ history: history.newer })}#history`} className="link self-center">
            Newer changes
          </Link>
        )}
        <PostForm failed={failed} className="grid gap-3">
          {form('')}
          <p>
            <SubmitButton kind={history ? 'secondary' : 'primary'} busy="Reading…" disabled={isSpent}>
              {history ? 'Read again' : 'Read the history'}
            </SubmitButton>
          </p>
        </PostForm>
      </div>
      <p className="text-sm text-quiet">
        Each reading costs 1 history query, and nothing if there is no change.{' '}
        <UnitsLeft unit="history_query" allowance={allowance} />
      </p>
    </div>
  );
}
