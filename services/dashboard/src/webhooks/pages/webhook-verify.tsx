import { TextLink } from '../../app/components/button.tsx';
import { CopyButton } from '../../app/components/copy-field.tsx';
import { Page, Section } from '../../app/components/page.tsx';
import { load, workspaceVisit } from '../../app/pages/server.ts';
import { CodeText } from '../../documentation/pages.ts';
import { sampleSecret, verificationSample } from '../domain/verification-sample.ts';
import type { Route } from './+types/webhook-verify';
import { exampleDataOf } from './event-catalogue.server.ts';
import { WebhookTabs } from './webhook-tabs.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'How to verify a webhook · Shopscope' }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const visit = workspaceVisit(context);
  const endpoint = await load(context, ({ webhooks }) => webhooks.get(visit, params.webhookId));
  const { url, eventTypes } = endpoint;
  const [type = ''] = eventTypes;
  const sample = verificationSample({ url, type, data: exampleDataOf(context, type), nowMs: Date.now() });
  return { endpoint, sample, sampleSecret, base: `/workspaces/${params.workspaceId}/webhooks` };
}

const languages = [
  ['ts', 'TypeScript', 'Verify with @shopscope/client'],
  ['python', 'Python', 'Verify with shopscope'],
  ['sh', 'curl', 'Send this sample to your receiver'],
] as const;

export default function VerifyWebhookPage({ loaderData }: Route.ComponentProps) {
  const { endpoint, sample, sampleSecret, base } = loaderData;
  return (
    <Page
      title={endpoint.url}
      trail={[{ to: base, label: 'Webhooks' }]}
      lead="How a receiver checks that a message is from Shopscope."
    >
      <WebhookTabs base={base} id={endpoint.id} />
      <Section title="What is signed">
        <div className="grid max-w-[68ch] gap-2">
          <p>
            Every message follows Standard Webhooks 1.0. Its header <span className="code">webhook-signature</span> is
            an HMAC-SHA256 over <span className="code">webhook-id.webhook-timestamp.body</span>, with the secret that
            was shown when this webhook was created. During a rotation there are two signatures.
          </p>
          <p>
            Messages arrive at least once and in any order: handle each <span className="code">webhook-id</span> once.
            Answer with a status from 200 to 299 within 15 seconds.
          </p>
        </div>
      </Section>
      <Section title="A sample of this webhook">
        <p className="max-w-[68ch]">
          The sample has the first type of event of this webhook. It is signed with the secret{' '}
          <span className="code [overflow-wrap:anywhere]">{sampleSecret}</span>, which no webhook has. Put your own
          secret in its place.
        </p>
        <div className="grid gap-4">
          {languages.map(([language, name, title]) => (
            <figure key={language} className="grid min-w-0 rounded-[6px] border bg-sunken">
              <figcaption className="flex items-center justify-between gap-4 border-b px-3 py-1.5 text-sm text-quiet">
                <span className="min-w-0">
                  <span className="font-medium text-text">{name}</span> · {title}
                </span>
                <CopyButton value={sample.codes[language]} label={`the sample in ${name}`} />
              </figcaption>
              <CodeText id={`sample-${language}`} language={language} text={sample.codes[language]} />
            </figure>
          ))}
        </div>
        <p className="max-w-[68ch] text-sm text-quiet">
          A receiver with the secret of the sample accepts the curl command for 5 minutes: load this page again for a
          new sample. A <TextLink to={`${base}/${endpoint.id}#test`}>test message</TextLink> is signed with the real
          secret.
        </p>
      </Section>
    </Page>
  );
}
