import { useNavigation } from 'react-router';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { type Allowance, UnitsLeft } from '../../usage/pages.ts';
import { rowsBill } from './rows-bill.ts';

interface RowsFormProps {
  token: string;
  needsAgreement: boolean;
  /** Whether the page shows the count of the query. */
  isCounted: boolean;
  isOff: boolean;
  isTest: boolean;
  allowance: Allowance;
  request: { limit: number };
}

/** Reads the first rows, after it has said what they bill. A query of changes can be counted first, which is billed too. */
export function RowsForm({ token, needsAgreement, isCounted, isOff, isTest, allowance, request }: RowsFormProps) {
  const isBusy = useNavigation().state !== 'idle';
  const { limit } = request;
  return (
    <PostForm className="grid gap-2 rounded-[6px] border bg-raised p-4" hasOwnNotice>
      {/* The same token counts and reads: the two requests differ. */}
      <input type="hidden" name="token" value={token} />
      <div className="flex flex-wrap items-center gap-2">
        <SubmitButton name="intent" value="rows" busy="Reading…" disabled={isOff || isBusy}>
          Show {limit} stores
        </SubmitButton>
        {needsAgreement && !isCounted && (
          <SubmitButton name="intent" value="count" kind="secondary" disabled={isOff || isBusy}>
            Count
          </SubmitButton>
        )}
      </div>
      <p className="text-sm text-quiet">
        {rowsBill(limit, needsAgreement)} {isTest && 'In the test environment, units cost nothing. '}
        <UnitsLeft unit="lookup_cached" allowance={allowance} />
        {needsAgreement && (
          <>
            {' '}
            <UnitsLeft unit="history_query" allowance={allowance} />
          </>
        )}
      </p>
    </PostForm>
  );
}
