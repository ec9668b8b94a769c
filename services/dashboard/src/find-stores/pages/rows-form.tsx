import { useNavigation } from 'react-router';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { formatNumber } from '../../app/components/formats.ts';
import { type Allowance, UnitsLeft } from '../../usage/pages.ts';
import type { StoreCount } from '../domain/answers.ts';
import { rowsPerPage } from '../domain/rows-request.ts';
import { type Shown, ShownFields } from './shown.tsx';
import { billText } from './units-text.ts';

interface RowsFormProps {
  token: string;
  /** Why the query is counted only when the person asks for it. */
  reason: 'changes' | 'list' | undefined;
  /** The count of the query, if the page shows it. */
  count: StoreCount | undefined;
  shown: Shown;
  isOff: boolean;
  isTest: boolean;
  allowance: Allowance;
}

/** Reads the first rows, after it has said how many there are and what they bill. A query without a count can be counted first. */
export function RowsForm({ token, reason, count, shown, isOff, isTest, allowance }: RowsFormProps) {
  const isBusy = useNavigation().state !== 'idle';
  const limit = Math.min(rowsPerPage, count?.mostRows ?? rowsPerPage);
  const history_query = reason === 'changes' ? 1 : 0;
  if (limit === 0) return null;
  return (
    <PostForm className="grid gap-2 rounded-[6px] border bg-raised p-4" hasOwnNotice>
      {/* The same token counts and reads: the two requests differ. */}
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="limit" value={limit} />
      <ShownFields {...shown} />
      <div className="flex flex-wrap items-center gap-2">
        <SubmitButton name="intent" value="rows" busy="Reading…" disabled={isOff || isBusy}>
          {showText(limit, count)}
        </SubmitButton>
        {reason && !count && (
          <SubmitButton name="intent" value="count" kind="secondary" disabled={isOff || isBusy}>
            Count
          </SubmitButton>
        )}
      </div>
      <p className="text-sm text-quiet">
        {billText({ lookup_cached: limit, history_query })} {isTest && 'In the test environment, units cost nothing. '}
        <UnitsLeft unit="lookup_cached" allowance={allowance} />
        {history_query > 0 && (
          <>
            {' '}
            <UnitsLeft unit="history_query" allowance={allowance} />
          </>
        )}
      </p>
    </PostForm>
  );
}

/** How many rows come, as far as the page knows it. */
function showText(limit: number, count: StoreCount | undefined): string {
  const isBound = count === undefined || (count.total.relation !== 'eq' && count.mostRows <= rowsPerPage);
  return `Show ${isBound ? 'up to ' : ''}${formatNumber(limit)} ${limit === 1 ? 'store' : 'stores'}`;
}
