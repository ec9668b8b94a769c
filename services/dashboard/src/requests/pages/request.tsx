import { Link } from 'react-router';
import { CopyButton, CopyField } from '../../app/components/copy-field.tsx';
import { Facts } from '../../app/components/facts.tsx';
import { formatNumber } from '../../app/components/formats.ts';
import { Card, Page, Quiet, Section } from '../../app/components/page.tsx';
import { Time } from '../../app/components/time.tsx';
import { contextOf, load, loadPart, workspaceVisit } from '../../app/pages/server.ts';
import { libraryOf } from '../../documentation/pages.server.ts';
import { canBill, explainBilling } from '../domain/explain-billing.ts';
import type { Route } from './+types/request';
import { durationText, operationText, RequestStatus } from './request-words.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Request · Shopscope' }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const visit = workspaceVisit(context);
  const { application } = contextOf(context);
  const { requestLog, keys } = application;
  const story = await load(context, () => requestLog.get(visit, params.requestId));
  const key = await loadPart(context, keys.get(visit, story.keyId));
  const operation = libraryOf(context).operation(story.operation);
  return {
    story: { ...story, billing: explainBilling(story, operation), canBill: canBill(story, operation) },
    keyLabel: key.value?.label,
    base: `/workspaces/${params.workspaceId}`,
  };
}

type Story = Route.ComponentProps['loaderData']['story'];

export default function RequestPage({ loaderData: { story, keyLabel, base } }: Route.ComponentProps) {
  return (
    <Page
      title={story.requestId}
      trail={[{ to: `${base}/requests`, label: 'Requests' }]}
      lead={<span className="code">{`${story.method} ${shownPath(story)}`}</span>}
      action={<CopyButton value={story.requestId} label="the request id" />}
    >
      <Card>
        <Facts
          facts={{
            Status: <RequestStatus value={story} />,
            Time: <Time ms={story.atMs} as="second" />,
            Latency: <span className="amount">{durationText(story.durationMs)}</span>,
            Operation: operationText(story.operation),
            Key: (
              <>
                <Link to={`${base}/settings/keys/${story.keyId}`} className="link [overflow-wrap:anywhere]">
                  {keyLabel ?? <span className="code">{story.keyPrefix}</span>}
                </Link>
                {keyLabel && <span className="code ml-2 text-quiet">{story.keyPrefix}</span>}
              </>
            ),
            Domains: story.domains === 0 ? <Quiet>None</Quiet> : formatNumber(story.domains),
            'Idempotency-Key': story.replayed ? 'Sent, replayed' : story.hasIdempotencyKey ? 'Sent' : 'Not sent',
            Route: story.pathTemplate === '' ? <Quiet>None</Quiet> : <span className="code">{story.pathTemplate}</span>,
          }}
        />
      </Card>
      {story.error && (
        <Section title={isCode(story) ? `What ${story.outcome} means` : 'What happened'}>
          <Card className="grid max-w-[68ch] gap-2">
            <p>{story.error.meaning}</p>
            <p>
              <span className="font-medium">What to do: </span>
              {story.error.action}
            </p>
          </Card>
        </Section>
      )}
      <Section title="Billed">
        <Card className="grid max-w-[68ch] gap-1">
          <p className="font-medium">{story.billing.billed}</p>
          <p className="text-quiet">{story.billing.why}</p>
        </Card>
      </Section>
      <Section title="Repeat it">
        <Repeat story={story} />
      </Section>
      {story.sameRequestId !== 'none' && (
        <p className="text-quiet">
          {story.sameRequestId === 'some'
            ? 'Other requests have the same X-Request-Id.'
            : 'The caller chose the X-Request-Id.'}{' '}
          <Link to={`${base}/requests?id=${encodeURIComponent(story.requestId)}`} className="link">
            Show every request with it
          </Link>
        </p>
      )}
    </Page>
  );
}

/** If there is no response, a text for the outcome would only repeat the status. */
const isCode = ({ outcomeClass }: Story) => outcomeClass === 'refused' || outcomeClass === 'failed';

const shownPath = ({ path, query }: Story) => (query === '' ? path : `${path}?${query}`);

function Repeat({ story }: { story: Story }) {
  if (story.command === undefined) {
    return (
      <p className="text-quiet">The path was too long or had unusual characters, so it was stored in part only.</p>
    );
  }
  return (
    <div className="grid gap-2">
      <CopyField value={story.command} label="the command" />
      <p className="max-w-[68ch] text-sm text-quiet">
        Put the key into the variable <span className="code">SHOPSCOPE_API_KEY</span> before.
        {story.operation === 'enrichStores' && ' Bodies are not stored: put in the domains of the request.'}
        {story.hasIdempotencyKey &&
          ' The Idempotency-Key is not stored either: within 24 hours of the request, the same one bills nothing again.'}
        {story.canBill && !story.hasIdempotencyKey && ' Repeating it is billed like a new request.'}
      </p>
    </div>
  );
}
