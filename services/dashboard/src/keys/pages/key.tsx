import { Link } from 'react-router';
import { ActorName } from '../../app/components/actor.tsx';
import { ButtonLink, TextLink } from '../../app/components/button.tsx';
import { Facts } from '../../app/components/facts.tsx';
import { Card, Notice, Page, Quiet, Section } from '../../app/components/page.tsx';
import { Time } from '../../app/components/time.tsx';
import { load, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/key';
import { accessName, scopeTexts } from './access-levels.ts';
import { KeyState, LastUsed } from './key-facts.tsx';
import { keyStatus } from './load-key-status.ts';
import { RevocationProgress } from './revocation-progress.tsx';
import { RevokeLink } from './revoke-form.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'API key · Shopscope' }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const visit = workspaceVisit(context);
  const key = await load(context, ({ keys }) => keys.get(visit, params.keyId));
  const workspace = `/workspaces/${params.workspaceId}`;
  return {
    key,
    status: keyStatus(context, key),
    base: `${workspace}/settings/keys`,
    members: `${workspace}/settings/members`,
    usage: `${workspace}/usage`,
    requests: `${workspace}/requests?key=${key.id}`,
    isAdmin: visit.membership.role === 'admin',
  };
}

export default function ApiKeyPage({ loaderData }: Route.ComponentProps) {
  const { key, status, base, members, usage, requests, isAdmin } = loaderData;
  const path = `${base}/${key.id}`;
  const canRevoke = isAdmin && key.state !== 'revoked';
  return (
    <Page
      title={key.label}
      trail={[{ to: base, label: 'API keys' }]}
      action={
        canRevoke && (
          <div className="flex flex-wrap gap-2">
            {!key.isOfDashboard && <ButtonLink to={`${path}/rotate`}>Rotate</ButtonLink>}
            <RevokeLink kind="danger" value={key} path={path}>
              Revoke
            </RevokeLink>
          </div>
        )
      }
    >
      <RevocationProgress path={`${path}/status`} loaded={status} />
      {key.isOfDashboard && key.state !== 'revoked' && (
        <Notice title="The dashboard's own key">
          Look-ups and scans of the page Stores use it. It works there only, and nobody sees its secret. To turn Stores
          off for this workspace, revoke it.
        </Notice>
      )}
      {key.state === 'expired' && (
        <Notice title="This key has expired">
          Requests with it get 401 unauthorized. {isAdmin && 'Rotate it to continue with a new key.'}
        </Notice>
      )}
      <Card>
        <Facts
          wide="Key id"
          facts={{
            Prefix: <span className="code">{key.prefix}</span>,
            State: <KeyState value={key} />,
            'Last used': <LastUsed value={key.lastUsed} />,
            Expires: key.expiresAtMs === undefined ? <Quiet>Never</Quiet> : <Time ms={key.expiresAtMs} as="date" />,
            Created: <Time ms={key.createdAtMs} as="exact" />,
            'Created by': (
              <>
                <ActorName who={key.createdBy} />{' '}
                {isAdmin && key.state === 'active' && !key.isOfDashboard && key.createdBy.kind !== 'operator' && (
                  <Link to={`${members}/${key.createdBy.id}/keys`} className="link text-sm whitespace-nowrap">
                    Keys of this person
                  </Link>
                )}
              </>
            ),
            'Created from':
              isAdmin &&
              (key.createdFrom ? <span className="code">{key.createdFrom}</span> : <Quiet>Not recorded</Quiet>),
            Revoked: key.revokedAtMs !== undefined && <Time ms={key.revokedAtMs} as="exact" />,
            'Revoked by': key.revokedBy && <ActorName who={key.revokedBy} />,
            'Key id': <span className="code">{key.id}</span>,
          }}
        />
      </Card>
      <Section title="Access" note={accessName(key)} isCard>
        <ul className="grid gap-2">
          {key.scopes.map((scope) => (
            <li key={scope} className="grid gap-x-4 sm:grid-cols-[160px_minmax(0,1fr)]">
              <span className="code">{scope}</span>
              <span className="text-quiet">{scopeTexts[scope]}</span>
            </li>
          ))}
        </ul>
      </Section>
      <p className="text-quiet">
        See this key's units on the <TextLink to={usage}>usage page</TextLink> and its requests in the{' '}
        <TextLink to={requests}>request log</TextLink>.
      </p>
    </Page>
  );
}
