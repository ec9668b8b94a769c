import { type ReactNode, useEffect, useRef } from 'react';
import { useNavigation, useSubmit } from 'react-router';
import { ButtonLink } from '../../app/components/button.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { formatNumber } from '../../app/components/formats.ts';
import { Meter } from '../../app/components/meter.tsx';
import { Card } from '../../app/components/page.tsx';
import type { FailedForm } from '../../app/pages/page-failure.ts';

interface ImportStepsProps {
  sent: number;
  total: number;
  /** For example "in the list". */
  place: string;
  failed: FailedForm | undefined;
  /** The page that a person opens to stop. */
  back: string;
  /** Hidden fields of the form. */
  children?: ReactNode;
}

/**
 * How far an import is, and the form of its next step. With script, the form sends itself until all stores are added or a step fails.
 * Without script, its button does.
 */
export function ImportSteps({ sent, total, place, failed, back, children }: ImportStepsProps) {
  const form = useRef<HTMLFormElement>(null);
  const submit = useSubmit();
  const { state } = useNavigation();
  const hasFailed = failed !== undefined;
  useEffect(() => {
    if (!hasFailed && state === 'idle') submit(form.current, { replace: true, preventScrollReset: true });
  }, [hasFailed, state, submit]);
  const text = `${formatNumber(sent)} of ${formatNumber(total)} stores are ${place}.`;
  return (
    <Card className="grid max-w-[68ch] gap-4">
      <div className="grid gap-1.5">
        <p role="status" className="tabular-nums">
          {text}
        </p>
        <Meter
          label={text}
          parts={[
            {
              share: total === 0 ? 1 : Math.min(1, sent / total),
              fill: 'fill-accent forced-colors:fill-[Highlight]',
            },
          ]}
        />
      </div>
      <PostForm ref={form} failed={failed} fields={[]} className="grid gap-3">
        {children}
        <p className="text-sm text-quiet">
          Keep this page open. If you leave it, what is added stays; open it again within 30 minutes to continue.
        </p>
        <div className="flex flex-wrap gap-2">
          <SubmitButton busy="Adding…">Continue</SubmitButton>
          <ButtonLink to={back}>Stop</ButtonLink>
        </div>
      </PostForm>
    </Card>
  );
}
