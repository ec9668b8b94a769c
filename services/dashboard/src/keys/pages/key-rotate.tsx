import { isolated } from '@shopscope/text';
import { CircleCheck, CircleDashed } from 'lucide-react';
import type { ReactNode } from 'react';
import { ButtonLink, RefreshLink, RowLink } from '../../app/components/button.tsx';
import { Card, Page } from '../../app/components/page.tsx';
import { useLive } from '../../app/pages/live.ts';
import { load, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/key-rotate';
import { LastUsed } from './key-facts.tsx';
import { keyStatus } from './load-key-status.ts';
import { RevokeLink } from './revoke-form.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Rotate an API key · Shopscope' }];

/** `?to=KEY_ID` is the key that was created in place of this one. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const visit = workspaceVisit(context);
  const to = new URL(request.url).searchParams.get('to') ?? '';
  const { old, replacement } = await load(context, ({ keys }) => keys.openForRotation(visit, params.keyId, to));
  return {
    old,
    oldStatus: keyStatus(context, old),
    replacement,
    replacementStatus: replacement && keyStatus(context, replacement),
    base: `/workspaces/${params.workspaceId}/settings/keys`,
  };
}

export default function RotateKeyPage({ loaderData }: Route.ComponentProps) {
  const { old, oldStatus, replacement, replacementStatus = oldStatus, base } = loaderData;
  const oldPath = `${base}/${old.id}`;
  const { lastUsed } = useLive(replacementStatus, `${base}/${replacement?.id ?? old.id}/status`, {
    everyMs: 3_000,
    isDone: (status) => replacement === undefined || typeof status.lastUsed === 'object',
  }).data;
  const { lastUsed: oldUse } = useLive(oldStatus, `${oldPath}/status`, {
    everyMs: 10_000,
    isDone: () => replacement === undefined || old.state !== 'active',
  }).data;
  const isUsed = replacement !== undefined && typeof lastUsed === 'object';
  const isRevoked = old.state === 'revoked';
  return (
    <Page
      title={`Rotate ${isolated(old.label)}`}
      trail={[
        { to: base, label: 'API keys' },
        { to: oldPath, label: old.label },
      ]}
      lead="Replace a key without an interruption: both keys are valid until you revoke the old one."
    >
      <ol className="grid max-w-[640px] gap-3">
        <Step position={1} title="Create the new key" isDone={replacement !== undefined}>
          {replacement ? (
            <p>
              <RowLink to={`${base}/${replacement.id}`}>{replacement.label}</RowLink>{' '}
              <span className="code text-quiet">{replacement.prefix}</span>
            </p>
          ) : (
            <>
              <p className="text-quiet">
                With the same access and expiry as <bdi>{old.label}</bdi>. You can change both.
              </p>
              <div>
                <ButtonLink kind="primary" to={`${base}/new?rotate=${old.id}`}>
                  Create the new key
                </ButtonLink>
              </div>
            </>
          )}
        </Step>
        <Step position={2} title="Deploy it, and see its traffic" isDone={isUsed}>
          {replacement ? (
            <>
              <p aria-live="polite">
                {isUsed ? (
                  <>
                    The new key is in use, last <LastUsed value={lastUsed} />.
                  </>
                ) : (
                  'No request with the new key yet. A request appears here within a minute.'
                )}
              </p>
              {!isUsed && <RefreshLink href={`?to=${replacement.id}`} />}
            </>
          ) : (
            <p className="text-quiet">Put the new key into every system that uses the old one.</p>
          )}
        </Step>
        <Step position={3} title="Revoke the old key" isDone={isRevoked}>
          <p className="text-quiet">
            {isRevoked ? (
              'The old key is revoked.'
            ) : (
              <>
                <span className="code">{old.prefix}</span>, last used:{' '}
                <span className="lowercase">
                  <LastUsed value={oldUse} />
                </span>
              </>
            )}
          </p>
          {replacement && !isRevoked && (
            <div>
              <RevokeLink kind="danger" value={old} path={oldPath}>
                Revoke the old key
              </RevokeLink>
            </div>
          )}
        </Step>
      </ol>
    </Page>
  );
}

function Step(props: { position: number; title: string; isDone: boolean; children: ReactNode }) {
  const Icon = props.isDone ? CircleCheck : CircleDashed;
  return (
    <li>
      <Card className="grid grid-cols-[20px_minmax(0,1fr)] gap-x-3 gap-y-2">
        <Icon aria-hidden className={`mt-0.5 size-5 ${props.isDone ? 'text-ok' : 'text-quiet'}`} />
        <div className="grid gap-2">
          <h2 className="text-base leading-6">
            {props.position}. {props.title}
            {props.isDone && <span className="sr-only"> (done)</span>}
          </h2>
          {props.children}
        </div>
      </Card>
    </li>
  );
}
