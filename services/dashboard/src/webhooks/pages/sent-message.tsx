import { CopyButton } from '../../app/components/copy-field.tsx';
import { Section } from '../../app/components/page.tsx';
import type { DeliveryView } from '../domain/delivery-view.ts';
import { TextBlock } from './text-block.tsx';

/** The request that an attempt sends. Secrets and values of own headers are not known here. */
export function SentMessage(props: { delivery: DeliveryView; body: string; headerNames: readonly string[] }) {
  const { delivery, body, headerNames } = props;
  const { eventId, attempts } = delivery;
  const latest = attempts.at(-1);
  const timestamp = latest ? String(Math.floor(latest.atMs / 1_000)) : 'the second of the attempt';
  const headers = [
    ...headerNames.map((name) => [name, '***']),
    ['content-type', 'application/json'],
    ['user-agent', 'Shopscope-Webhooks/1'],
    ['webhook-id', eventId],
    ['webhook-timestamp', timestamp],
    ['webhook-signature', 'v1,…'],
  ];
  return (
    <>
      <Section title="Headers" note={latest ? 'Of the latest attempt' : 'Of the first attempt'}>
        <TextBlock label="Headers" text={headers.map(([name, value]) => `${name}: ${value}`).join('\n')} />
      </Section>
      <Section title="Body" action={<CopyButton value={body} label="the body" />}>
        <TextBlock label="Body" text={body} />
        <p className="text-sm text-quiet">
          The message has no line breaks. Its signature is that of the bytes as sent.
        </p>
      </Section>
    </>
  );
}
