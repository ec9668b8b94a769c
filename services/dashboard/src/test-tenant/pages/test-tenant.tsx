import { data } from 'react-router';
import { TextLink } from '../../app/components/button.tsx';
import { CopyField } from '../../app/components/copy-field.tsx';
import { SelectField, TextAreaField, TextField } from '../../app/components/field.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { Notice, Page, Section } from '../../app/components/page.tsx';
import { contextOf, load, submit, workspaceVisit } from '../../app/pages/server.ts';
import { units } from '../../usage/pages.ts';
import type { Route } from './+types/test-tenant';

export const meta: Route.MetaFunction = () => [{ title: 'Test tenant · Shopscope' }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const { publicApiUrl } = contextOf(context).application;
  const visit = workspaceVisit(context);
  const types = await load(context, async ({ testTenant }) => testTenant.open(visit));
  return {
    types,
    isAdmin: visit.membership.role === 'admin',
    publicApiUrl,
    // A form that is sent again has the same token, so it acts once.
    token: crypto.randomUUID(),
    workspace: `/workspaces/${params.workspaceId}`,
  };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { testTenant }) => {
    const visit = workspaceVisit(args.context);
    const token = form.text('request_token');
    const intent = form.text('intent');
    if (intent === 'event') {
      const input = { type: form.text('type'), data: form.text('data') };
      return {
        done: { intent: 'event' as const, type: input.type, ...(await testTenant.appendEvent(visit, input, token)) },
      };
    }
    if (intent === 'allowance') {
      const input = { unit: form.text('unit'), left: form.text('left') };
      return { done: { intent: 'allowance' as const, ...(await testTenant.setAllowance(visit, input, token)) } };
    }
    if (intent === 'reset') {
      await testTenant.reset(visit, token);
      return { done: { intent: 'reset' as const } };
    }
    throw data({}, { status: 404 });
  });

type Done = Extract<NonNullable<Route.ComponentProps['actionData']>, { done: unknown }>['done'];

export default function TestTenantPage({ loaderData, actionData }: Route.ComponentProps) {
  const { types, isAdmin, publicApiUrl, token, workspace } = loaderData;
  const failed = actionData && 'problem' in actionData ? actionData : undefined;
  const form = (intent: string) => ({ intent, failed, key: `${intent} ${token}` });
  const tokenField = <input type="hidden" name="request_token" value={failed?.values.request_token ?? token} />;
  return (
    <Page
      title="Test tenant"
      lead="A fixed set of generated stores for development. Keys of the test environment read it, and your own systems get its webhooks."
    >
      {actionData && 'done' in actionData && <DoneNotice done={actionData.done} workspace={workspace} />}
      <Section title="Try it" note="Needs a test key">
        <CopyField
          label="the example"
          value={`curl -H "Authorization: Bearer $SHOPSCOPE_API_KEY" ${publicApiUrl}/v1/stores/matched.test`}
        />
        <p className="text-sm text-quiet">
          The guide <TextLink to="/docs/test-tenant">Try it without spending</TextLink> lists all stores and what each
          of them does.
        </p>
      </Section>
      {isAdmin ? (
        <div className="grid max-w-[640px] gap-8">
          <Section title="Make an event" isCard>
            <PostForm {...form('event')} fields={['type', 'data']}>
              {tokenField}
              <SelectField label="Type" name="type" options={types.map((type) => [type, type] as const)} />
              <TextAreaField
                label="Data"
                name="data"
                rows={4}
                className="font-mono"
                spellCheck={false}
                help="A JSON object. Its members replace those of the example. Without a text, the event has the example."
              />
              <div>
                <SubmitButton busy="Making …">Make event</SubmitButton>
              </div>
            </PostForm>
          </Section>
          <Section title="Set what is left" isCard>
            <PostForm {...form('allowance')} fields={['unit', 'left']}>
              {tokenField}
              <SelectField label="Unit" name="unit" options={units.map(({ unit, label }) => [unit, label] as const)} />
              <TextField
                label="Left in this period"
                name="left"
                inputMode="numeric"
                required
                help="At most what the plan includes. With 0, requests answer 402."
              />
              <div>
                <SubmitButton busy="Setting …">Set allowance</SubmitButton>
              </div>
            </PostForm>
          </Section>
          <Section title="Reset" isCard>
            <PostForm {...form('reset')}>
              {tokenField}
              <p>
                Deletes all test data of this workspace at once: lists, watchlists, jobs, events, webhooks and usage.
                Stores and allowance are as at the beginning. Keys and live data stay.
              </p>
              <div>
                <SubmitButton kind="danger" busy="Resetting …">
                  Reset test tenant
                </SubmitButton>
              </div>
            </PostForm>
          </Section>
        </div>
      ) : (
        <p className="text-quiet">An admin of this workspace can reset the test tenant and make events.</p>
      )}
    </Page>
  );
}

function DoneNotice({ done, workspace }: { done: Done; workspace: string }) {
  if (done.intent === 'event') {
    return (
      <Notice kind="ok">
        The event <span className="code">{done.type}</span> has the sequence {done.sequence}.{' '}
        <TextLink to={`${workspace}/changes`}>Changes</TextLink> shows it, and webhooks of the test environment get it.
      </Notice>
    );
  }
  if (done.intent === 'allowance') {
    return (
      <Notice kind="ok">
        {done.left} of <span className="code">{done.unit}</span> are left in this period.
      </Notice>
    );
  }
  return <Notice kind="ok">The test tenant is as at the beginning.</Notice>;
}
