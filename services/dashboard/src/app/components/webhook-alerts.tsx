import { TextLink } from './button.tsx';
import { Notice } from './page.tsx';

interface WebhookAlert {
  endpointId: string;
  kind: 'failing' | 'disabled';
  url: string;
}

const titles = { failing: 'A webhook endpoint is failing', disabled: 'A webhook endpoint is disabled' };
const effects = { failing: 'no delivery to it succeeds.', disabled: 'it receives no events.' };

/** Shown on every page of the workspace until the endpoints are mended. */
export function WebhookAlerts({ alerts, base }: { alerts: readonly WebhookAlert[]; base: string }) {
  const [first] = alerts;
  if (!first) return null;
  const isOne = alerts.length === 1;
  return (
    <div className="mx-auto w-full max-w-[1120px] px-4 pt-4 md:px-8">
      <Notice
        kind="warning"
        title={isOne ? titles[first.kind] : `${alerts.length} webhook endpoints are failing or disabled`}
      >
        {isOne ? (
          <p>
            <span className="code [overflow-wrap:anywhere]">{first.url}</span>: {effects[first.kind]}{' '}
            <TextLink to={`${base}/${first.endpointId}`}>See the endpoint</TextLink>
          </p>
        ) : (
          <TextLink to={base}>See the endpoints</TextLink>
        )}
      </Notice>
    </div>
  );
}
