import { SelectField } from '../../app/components/field.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { Notice } from '../../app/components/page.tsx';
import type { FailedForm } from '../../app/pages/page-failure.ts';
import type { SentTest } from '../operations/trials.ts';
import { AttemptResult, sentText } from './attempt.tsx';

/** Sends an example of a type of event, and shows what the receiver answered. */
export function TestSend(props: {
  eventTypes: readonly string[];
  test: SentTest | undefined;
  failed: FailedForm | undefined;
}) {
  const { eventTypes, test, failed } = props;
  const isOk = test?.attempt.status !== undefined && test.attempt.status >= 200 && test.attempt.status < 300;
  return (
    <div className="grid gap-4">
      <PostForm intent="test" action="#test" failed={failed} className="flex flex-wrap items-end gap-3">
        <div className="w-full sm:w-[280px]">
          <SelectField
            label="Example of"
            name="type"
            options={eventTypes.map((type) => [type, type] as const)}
            defaultValue={test?.type}
          />
        </div>
        <SubmitButton kind="secondary" busy="Sending …">
          Send a test message
        </SubmitButton>
      </PostForm>
      <p className="text-sm text-quiet">
        The message is signed with the secret of this webhook and has <span className="code">"test": true</span>. It is
        sent once, also to a paused webhook, and counts neither as success nor as failure.
      </p>
      {test && (
        <div className="grid gap-3">
          <Notice
            kind={isOk ? 'ok' : 'danger'}
            title={isOk ? 'The receiver accepted the message' : 'The receiver did not accept the message'}
          >
            <AttemptResult attempt={test.attempt} />
          </Notice>
          <details>
            <summary className="link w-fit">What was sent, as {test.eventId}</summary>
            <pre className={`mt-2 ${sentText}`}>{JSON.stringify(JSON.parse(test.body), null, 2)}</pre>
          </details>
        </div>
      )}
    </div>
  );
}
