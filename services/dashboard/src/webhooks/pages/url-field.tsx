import { CircleCheck } from 'lucide-react';
import { useContext, useState } from 'react';
import { useFetcher } from 'react-router';
import { FailedFormContext, TextField } from '../../app/components/field.tsx';
import type { FailedForm } from '../../app/pages/page-failure.ts';

/** The answer of an action to `intent=check_url`. */
export type CheckedUrl = { checkedUrl: string } | FailedForm;

/** The URL of a webhook. With script, the service checks it when the field loses the focus. Otherwise it is checked when the form is sent. */
export function UrlField({ url }: { url: string }) {
  const around = useContext(FailedFormContext);
  const fetcher = useFetcher<CheckedUrl>();
  const [text, setText] = useState(around?.values?.url ?? url);
  const [asked, setAsked] = useState(url);
  const answer = fetcher.state === 'idle' && asked === text ? fetcher.data : undefined;
  const problem = answer && 'problem' in answer ? answer.problem : undefined;
  const isAccepted = answer !== undefined && !problem;
  const isChecking = fetcher.state !== 'idle';
  const check = () => {
    if (text.trim() === '' || text === asked) return;
    setAsked(text);
    void fetcher.submit({ intent: 'check_url', url: text }, { method: 'post' });
  };
  const shown = problem ? { ...around, problem: { ...problem, field: 'url' } } : isAccepted ? undefined : around;
  return (
    <FailedFormContext value={shown}>
      <TextField
        label="URL"
        name="url"
        required
        isCode
        inputMode="url"
        maxLength={2_048}
        placeholder="https://hooks.example/shopscope"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={check}
        help={
          <span aria-live="polite">
            {isChecking ? (
              'The URL is being checked …'
            ) : isAccepted ? (
              <span className="inline-flex items-center gap-1 text-ok">
                <CircleCheck aria-hidden className="size-3.5" />
                The URL can receive events: its host has public addresses only.
              </span>
            ) : (
              'https only, at a public address. Its host is resolved now, and again before each message.'
            )}
          </span>
        }
      />
    </FailedFormContext>
  );
}
