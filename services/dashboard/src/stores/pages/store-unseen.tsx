import { monthName } from '../../app/components/formats.ts';
import { Notice } from '../../app/components/page.tsx';
import type { UnseenStore } from '../operations/unseen-store.ts';

/** Explains why the latest scans have not seen the store, and that it is scanned rarely. */
export function StoreUnseen({ unseen, isKnown }: { unseen: UnseenStore | undefined; isKnown: boolean }) {
  if (!unseen) return null;
  const text = `${unseen.what} This began in ${monthName(Date.parse(unseen.since))}.`;
  return (
    <Notice kind="warning" title="The latest scans did not see the store">
      <p>{isKnown ? `${text} The profile shows what was seen before.` : text}</p>
      <p>Background scans visit the store at most every 30 days.</p>
    </Notice>
  );
}
