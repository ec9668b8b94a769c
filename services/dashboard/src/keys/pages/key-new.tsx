import { dayMs } from '@shopscope/clock/durations';
import { cut, isolated } from '@shopscope/text';
import { ButtonLink } from '../../app/components/button.tsx';
import { CopyField, FreeCall } from '../../app/components/copy-field.tsx';
import { TextField } from '../../app/components/field.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { NewSecret } from '../../app/components/new-secret.tsx';
import { Notice, Page } from '../../app/components/page.tsx';
import type { SentForm } from '../../app/inbound/read-form.ts';
import { contextOf, load, submit, workspaceVisit } from '../../app/pages/server.ts';
import type { Expiry, KeyView } from '../operations/keys.ts';
import type { Route } from './+types/key-new';
import { AccessFields } from './access-fields.tsx';
import { presetTexts, presetWith } from './access-levels.ts';
import { EnvironmentField } from './environment-field.tsx';
import { ExpiryFields } from './expiry-fields.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Create an API key · Shopscope' }];

/** `?rotate=KEY_ID` creates a replacement of that key, with its access and expiry. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { publicApiUrl } = contextOf(context).application;
  const rotatedId = new URL(request.url).searchParams.get('rotate') ?? '';
  const rotated = await load(context, ({ keys }) => keys.openForCreation(workspaceVisit(context), rotatedId));
  return {
    base: keysPath(params.workspaceId),
    environment: workspaceVisit(context).origin.environment,
    rotated: rotated && { id: rotated.id, label: rotated.label },
    defaults: rotated ? defaultsOf(rotated) : noDefaults,
    // A form that is sent again has the same token, so it does not create a second key.
    requestToken: crypto.randomUUID(),
    publicApiUrl,
  };
}

const keysPath = (segment: string) => `/workspaces/${segment}/settings/keys`;

const noDefaults = { label: '', access: 'read_only', scopes: [] as string[], expires: 'none', date: '' };

function defaultsOf({ label, preset, scopes, createdAtMs, expiresAtMs }: KeyView): typeof noDefaults {
  const known = presetTexts.find((candidate) => candidate.preset === preset) ?? presetWith(scopes);
  const access = known?.preset ?? 'custom';
  const defaults = { ...noDefaults, label: `${cut(label, 94)} (new)`, access, scopes };
  if (expiresAtMs === undefined) return defaults;
  // A key that expires after some days expires at the end of a UTC day.
  const lifeDays = (expiresAtMs - createdAtMs) / dayMs;
  const days = [30, 90, 365].find((choice) => lifeDays >= choice && lifeDays <= choice + 1);
  if (days !== undefined) return { ...defaults, expires: String(days) };
  const date = expiresAtMs > Date.now() ? new Date(expiresAtMs - 1).toISOString().slice(0, 10) : '';
  return { ...defaults, expires: 'date', date };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { keys }) => {
    const access = form.text('access');
    const { key, secret, segment } = await keys.create(workspaceVisit(args.context), {
      label: form.text('label'),
      environment: form.text('environment'),
      preset: access === 'custom' ? '' : access,
      scopes: form.texts('scopes'),
      expiry: expiryOf(form),
      requestToken: form.text('request_token'),
    });
    return { key: { id: key.id, label: key.label, prefix: key.prefix }, secret, base: keysPath(segment) };
  });

function expiryOf(form: SentForm): Expiry {
  const chosen = form.text('expires');
  if (chosen === 'none') return { kind: 'none' };
  if (chosen === 'date') return { kind: 'date', date: form.text('expires_on') };
  return { kind: 'days', days: Number(chosen) };
}

export default function NewKeyPage({ loaderData, actionData }: Route.ComponentProps) {
  const { base, environment, rotated, defaults, publicApiUrl } = loaderData;
  const failed = actionData && 'problem' in actionData ? actionData : undefined;
  // After a failure with unknown outcome the key may exist, so the token is kept. Every new form has its own token.
  const requestToken = failed?.values.request_token ?? loaderData.requestToken;
  const trail = [{ to: base, label: 'API keys' }];

  if (actionData && 'key' in actionData) {
    // The key may be of the other environment than this page.
    const { key, secret, base: list } = actionData;
    const next = rotated ? `${list}/${rotated.id}/rotate?to=${key.id}` : `${list}/${key.id}`;
    return secret === '' ? (
      <Page title="This key exists already" trail={trail}>
        <AlreadyCreated label={key.label} prefix={key.prefix} next={next} base={list} />
      </Page>
    ) : (
      <Page title="Store this key now" trail={trail}>
        <NewSecret
          noun="key"
          advice="Shopscope cannot show it again. Put the key into your secret store before you continue."
          owner={<bdi>{key.label}</bdi>}
          secret={secret}
          next={next}
        >
          <div className="grid gap-2">
            <h2 className="text-base">Try it</h2>
            <FirstCall prefix={key.prefix} apiUrl={publicApiUrl} />
          </div>
        </NewSecret>
      </Page>
    );
  }

  return (
    <Page
      title={rotated ? `Create a key in place of ${isolated(rotated.label)}` : 'Create key'}
      trail={rotated ? [...trail, { to: `${base}/${rotated.id}`, label: rotated.label }] : trail}
      lead={
        rotated && 'It starts with the access and the expiry of the old key, which stays valid until you revoke it.'
      }
    >
      <PostForm
        className="grid max-w-[640px] gap-6"
        failed={failed}
        fields={['label', 'environment', 'scopes', 'preset', 'expires', 'expires_at', 'expires_on']}
      >
        <input type="hidden" name="request_token" value={requestToken} />
        <TextField
          label="Label"
          name="label"
          required
          maxLength={100}
          autoComplete="off"
          autoFocus
          defaultValue={defaults.label}
          help="The system that will use the key, for example “Import job, production”."
        />
        {rotated ? (
          <input type="hidden" name="environment" value={environment} />
        ) : (
          <EnvironmentField value={environment} />
        )}
        <AccessFields access={defaults.access} scopes={defaults.scopes} />
        <ExpiryFields expires={defaults.expires} date={defaults.date} />
        <div className="flex flex-wrap gap-2">
          <SubmitButton busy="Creating …">Create key</SubmitButton>
          <ButtonLink kind="quiet" to={rotated ? `${base}/${rotated.id}` : base}>
            Cancel
          </ButtonLink>
        </div>
      </PostForm>
    </Page>
  );
}

/** The first call to try. A store of the test tenant costs nothing. */
const FirstCall = ({ prefix, apiUrl }: { prefix: string; apiUrl: string }) =>
  prefix.startsWith('svc_test_') ? (
    <CopyField
      label="the example"
      value={`curl -H "Authorization: Bearer $SHOPSCOPE_API_KEY" ${apiUrl}/v1/stores/matched.test`}
    />
  ) : (
    <FreeCall apiUrl={apiUrl} />
  );

function AlreadyCreated(props: { label: string; prefix: string; next: string; base: string }) {
  return (
    <div className="grid max-w-[640px] gap-4">
      <Notice title="The form was sent before, and made one key">
        <p>
          <bdi>{props.label}</bdi> (<span className="code">{props.prefix}</span>) was created by it. Its secret was
          shown once and cannot be shown again. No second key was created.
        </p>
      </Notice>
      <p>If the secret was not stored, revoke this key and create another one.</p>
      <div className="flex flex-wrap gap-2">
        <ButtonLink kind="primary" to={props.next}>
          Go on with this key
        </ButtonLink>
        <ButtonLink to={props.base}>Back to the list</ButtonLink>
      </div>
    </div>
  );
}
