import { Badge } from '../../app/components/badge.tsx';
import { TextLink } from '../../app/components/button.tsx';
import { CopyButton, CopyField } from '../../app/components/copy-field.tsx';
import { useProblemOf } from '../../app/components/field.tsx';
import { Section } from '../../app/components/page.tsx';
import { type PageContext, workspaceVisit } from '../../app/pages/server.ts';
import { unitNames } from '../../usage/domain.ts';
import { loadAllowance, UnitsLeft } from '../../usage/pages.ts';
import { needsAgreement } from '../domain/agreement.ts';
import type { Operation } from '../domain/reference.ts';
import type { TriedAnswer } from '../operations/try-out.ts';

/** Parts of the forms that try an operation. */

/** What a request can bill, and what is left of it. */
export async function loadBill(context: PageContext, { billing, units }: Operation) {
  const { environment } = workspaceVisit(context).origin;
  return {
    billing,
    isTest: environment === 'test',
    needsAgreement: needsAgreement(environment, { units }),
    units: unitNames.filter((unit) => units.includes(unit)),
    allowance: await loadAllowance(context),
  };
}

export const Bill = ({ billing, isTest, units, allowance }: Awaited<ReturnType<typeof loadBill>>) => (
  <div className="grid gap-1">
    <p className="font-medium">What it bills</p>
    <p>{billing === 'free' ? 'Nothing: the operation is free.' : `${billing}.`}</p>
    {isTest && units.length > 0 && <p>In the test environment, units cost nothing.</p>}
    {units.map((unit) => (
      <p key={unit} className="text-quiet">
        <UnitsLeft unit={unit} allowance={allowance} />
      </p>
    ))}
  </div>
);

export function Confirm() {
  const error = useProblemOf('confirm');
  return (
    <div className="grid gap-1">
      <label className="flex min-h-10 items-center gap-2 md:min-h-0">
        <input
          type="checkbox"
          name="confirm"
          value="yes"
          required
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'confirm-error' : undefined}
          className="size-4 accent-accent"
        />
        Send it and bill the workspace
      </label>
      {error && (
        <p id="confirm-error" className="text-sm text-danger">
          {error}
        </p>
      )}
    </div>
  );
}

const answerBox = 'max-h-[520px] overflow-auto rounded-[6px] border bg-sunken p-3 font-mono text-[13px]';

interface AnswerProps {
  answer: TriedAnswer;
  /** The request as curl. */
  command: string;
  requestId: string;
  /** The page of the request log. */
  requests: string;
  /** What the answer says, before its body. */
  children?: React.ReactNode;
}

export function Answer({ answer, command, requestId, requests, children }: AnswerProps) {
  const { status, headers, text, isCut, durationMs } = answer;
  return (
    <>
      <Section title="Answer">
        <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
          <Badge tone={status < 400 ? 'ok' : 'danger'}>
            <span className="amount">{status}</span>
          </Badge>
          <span className="text-quiet">
            <span className="amount">{durationMs}</span> ms
          </span>
          <TextLink to={`${requests}/${requestId}`}>This request in the log</TextLink>
        </div>
        <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
          <span className="min-w-0 text-quiet">
            Request id: <span className="code">{requestId}</span>
          </span>
          <CopyButton value={requestId} label="the request id" />
        </div>
        {children}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls has to be reachable by keyboard. */}
        <pre tabIndex={0} className={answerBox}>
          {text === '' ? 'No body' : text}
        </pre>
        {isCut && <p className="text-sm text-quiet">The body is longer. Only its begin is shown.</p>}
      </Section>
      <Section title="Headers">
        <dl className="grid gap-1 text-sm">
          {headers.map(([name, value]) => (
            <div key={name} className="grid gap-x-3 sm:grid-cols-[200px_minmax(0,1fr)]">
              <dt className="code text-quiet">{name}</dt>
              <dd className="code">{value}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section title="As curl">
        <CopyField value={command} label="the command" />
        <p className="text-sm text-quiet">
          Put a key of your own into <span className="code">SHOPSCOPE_API_KEY</span> before.
        </p>
      </Section>
    </>
  );
}
