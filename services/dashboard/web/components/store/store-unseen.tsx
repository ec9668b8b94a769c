import type { UnseenStore } from '../../../src/operations/unseen-store.ts';
import { Notice } from '../notice.tsx';
import { Time } from '../time.tsx';

/** Says why the latest scans have not seen the store, and when the next ones come. */
export function StoreUnseen({ unseen, isKnown }: { unseen: UnseenStore | undefined; isKnown: boolean }) {
  if (!unseen) return null;
  const { what, scans, sinceMs, lastMs, restsUntilMs } = unseen;
  return (
    <Notice
      kind="warning"
      title={scans === 1 ? 'The latest scan did not see the store' : `The latest ${scans} scans did not see the store`}
    >
      <p>
        {what} {scans === 1 ? 'That was ' : 'The first of these scans was '}
        <Time ms={sinceMs} />
        {scans > 1 && (
          <>
            , the latest <Time ms={lastMs} />
          </>
        )}
        . {isKnown && 'The profile shows what was seen before.'}
      </p>
      {restsUntilMs !== undefined && (
        <p>
          Until <Time ms={restsUntilMs} as="date" /> the store is scanned only for those who ask for a scan.
        </p>
      )}
    </Notice>
  );
}
