import type { MouseEvent } from 'react';
import type { useFetcher } from 'react-router';
import { Button } from '../../app/components/button.tsx';
import { FormNotice } from '../../app/components/form.tsx';
import { formatNumber } from '../../app/components/formats.ts';
import type { FailedForm } from '../../app/pages/page-failure.ts';
import type { MatchCount as Count } from '../operations/trials.ts';

/** The answer of an action to `intent=count`. `values`: what was typed, for browsers without script. */
export type Counted = { count: Count; values: Record<string, string> } | FailedForm;

/**
 * Counts the events of the last 7 days that match the form. With script, the page stays as it is. Otherwise the form is sent and shown again.
 */
export function MatchCount({
  fetcher,
  loaded,
  fields,
}: {
  fetcher: ReturnType<typeof useFetcher<Counted>>;
  loaded: Count | undefined;
  fields: readonly string[];
}) {
  const answer = fetcher.data;
  const count = answer ? ('count' in answer ? answer.count : undefined) : loaded;
  const ask = (event: MouseEvent<HTMLButtonElement>) => {
    const { form } = event.currentTarget;
    if (!form) return;
    event.preventDefault();
    void fetcher.submit(new FormData(form, event.currentTarget), { method: 'post' });
  };
  return (
    <div className="grid gap-2">
      {answer && 'problem' in answer && <FormNotice problem={answer.problem} fields={fields} />}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button name="intent" value="count" formNoValidate disabled={fetcher.state !== 'idle'} onClick={ask}>
          {fetcher.state === 'idle' ? 'Count matching events' : 'Counting …'}
        </Button>
        <p role="status" className="text-quiet">
          {count && fetcher.state === 'idle' && (
            <>
              <span className="amount font-medium text-text">
                {count.isCut && 'At least '}
                {formatNumber(count.matched)}
              </span>{' '}
              {count.matched === 1 ? 'event' : 'events'} of the last 7 days {count.matched === 1 ? 'matches' : 'match'}
              {count.isCut && ': only the latest events were counted'}
            </>
          )}
        </p>
      </div>
    </div>
  );
}
