import { data } from 'react-router';
import { Badge } from '../../app/components/badge.tsx';
import { TextLink } from '../../app/components/button.tsx';
import { CopyField } from '../../app/components/copy-field.tsx';
import { SelectField, TextAreaField, TextField, useProblemOf } from '../../app/components/field.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { Card, Page, Section } from '../../app/components/page.tsx';
import { contextOf, loadPart, submit, workspaceVisit } from '../../app/pages/server.ts';
import { StoresOff } from '../../keys/pages.ts';
import { unitNames } from '../../usage/domain.ts';
import { loadAllowance, UnitsLeft } from '../../usage/pages.ts';
import type { Operation, Parameter } from '../domain/reference.ts';
import { curlOf, sampleRequestOf, sampleValueOf } from '../domain/request-samples.ts';
import { bodyField, fieldNameOf } from '../domain/typed-request.ts';
import type { TriedAnswer } from '../operations/try-out.ts';
import type { Route } from './+types/try-out';
import { MethodAndPath } from './code.tsx';
import { libraryOf } from './library.server.ts';

export const meta: Route.MetaFunction = ({ params }) => [{ title: `Try ${params.operationId} · Shopscope` }];

/** Returns an operation that is served. Throws 404 for the others. */
function servedOperation(context: Route.LoaderArgs['context'], id: string): Operation {
  const operation = libraryOf(context).operation(id);
  if (!operation?.isServed) throw data({}, { status: 404 });
  return operation;
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { application, siteUrl } = contextOf(context);
  const operation = servedOperation(context, params.operationId);
  const { id, method, path, summary, billing, units, parameters } = operation;
  const visit = workspaceVisit(context);
  const [allowance, access] = await Promise.all([
    loadAllowance(context),
    loadPart(context, application.dashboardKeys.state(visit)),
  ]);
  return {
    operation: { method, path, summary, billing },
    fields: parameters.filter((parameter) => parameter.in !== 'header').map(shownParameter),
    body: sampleRequestOf(operation).body,
    units: unitNames.filter((unit) => units.includes(unit)),
    allowance,
    isOff: access.value === 'off',
    isAdmin: visit.membership.role === 'admin',
    stores: `/workspaces/${params.workspaceId}/stores`,
    requests: `/workspaces/${params.workspaceId}/requests`,
    reference: `${siteUrl}/docs/reference/${id}`,
    token: crypto.randomUUID(),
  };
}

/** The part of a parameter that a field of the form shows. Examples of path parameters are real values. Query parameters are empty. */
function shownParameter(parameter: Parameter) {
  const { name, description, constraints, values, isRequired } = parameter;
  return {
    name,
    isRequired,
    values: values.map(({ value }) => value),
    // Long lists of values are shown in the reference only.
    help: [description.length > 200 ? '' : description, constraints.join(', ')]
      .filter((text) => text !== '')
      .join('. '),
    example: parameter.in === 'path' ? sampleValueOf(parameter) : '',
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const operation = servedOperation(context, params.operationId);
  return submit({ request, context }, async (form, { tryOut, publicApiUrl }) => {
    const answer = await tryOut.send(workspaceVisit(context), operation, {
      typed: (name) => form.secret(name),
      token: form.text('token'),
      isConfirmed: form.text('confirm') === 'yes',
    });
    const command = curlOf(answer.request, { apiUrl: publicApiUrl, needsKey: operation.needsKey });
    return { answer, command, requestId: contextOf(context).origin.requestId };
  });
}

type ActionData = NonNullable<Route.ComponentProps['actionData']>;
type Sent = Extract<ActionData, { answer: TriedAnswer }>;

export default function TryOutPage({ loaderData, actionData }: Route.ComponentProps) {
  const { operation, fields, body, units, allowance, isOff, isAdmin, stores, requests, reference, token } = loaderData;
  const sent = actionData && 'answer' in actionData ? actionData : undefined;
  const failed = actionData && 'problem' in actionData ? actionData : undefined;
  return (
    <Page
      title={operation.summary}
      lead={<MethodAndPath method={operation.method} path={operation.path} />}
      action={
        <a href={reference} className="link">
          Reference
        </a>
      }
    >
      {isOff && <StoresOff action={stores} isAdmin={isAdmin} />}
      <div className="grid gap-6 lg:grid-cols-2">
        <Card className="self-start">
          <PostForm failed={failed} fields={[...fields.map(({ name }) => fieldNameOf(name)), 'confirm']}>
            {/* With a new token, the next request is another one. */}
            <input type="hidden" name="token" value={failed?.values.token ?? token} />
            {fields.map((each) => (
              <ParameterField key={each.name} parameter={each} />
            ))}
            {body !== undefined && (
              <TextAreaField
                label="Body, JSON"
                name={bodyField}
                rows={Math.min(16, body.split('\n').length + 1)}
                spellCheck={false}
                autoCapitalize="none"
                defaultValue={body}
                className="font-mono text-[13px]"
              />
            )}
            <div className="grid gap-1">
              <p className="font-medium">What it bills</p>
              <p>{operation.billing === 'free' ? 'Nothing: the operation is free.' : `${operation.billing}.`}</p>
              {units.map((unit) => (
                <p key={unit} className="text-quiet">
                  <UnitsLeft unit={unit} allowance={allowance} />
                </p>
              ))}
            </div>
            {/* The tick applies to one request. */}
            {units.length > 0 && <Confirm key={token} />}
            <div>
              <SubmitButton busy="Sending…" disabled={isOff}>
                Send the request
              </SubmitButton>
            </div>
            <p className="text-sm text-quiet">
              It is sent under the workspace's key Dashboard, and stands in the log of requests. The browser gets no
              key.
            </p>
          </PostForm>
        </Card>
        <div className="grid min-w-0 content-start gap-6" aria-live="polite">
          {sent ? (
            <Answer sent={sent} requests={requests} />
          ) : (
            <p className="text-quiet">
              Status, headers and body of the answer are shown here, with the same request as curl.
            </p>
          )}
        </div>
      </div>
    </Page>
  );
}

function ParameterField({ parameter }: { parameter: Route.ComponentProps['loaderData']['fields'][number] }) {
  const { name, isRequired, values, help, example } = parameter;
  const shared = {
    label: isRequired ? name : `${name} (optional)`,
    name: fieldNameOf(name),
    help,
    defaultValue: example,
  };
  if (values.length === 0)
    return <TextField {...shared} className="font-mono" spellCheck={false} required={isRequired} />;
  return <SelectField {...shared} options={[['', 'Any'], ...values.map((value) => [value, value] as const)]} />;
}

function Confirm() {
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

function Answer({ sent: { answer, command, requestId }, requests }: { sent: Sent; requests: string }) {
  const { status, headers, text, isCut, durationMs } = answer;
  return (
    <>
      <Section title="Answer">
        <p className="flex flex-wrap gap-x-4 gap-y-1">
          <Badge tone={status < 400 ? 'ok' : 'danger'}>
            <span className="amount">{status}</span>
          </Badge>
          <span className="text-quiet">
            <span className="amount">{durationMs}</span> ms
          </span>
          <TextLink to={`${requests}/${requestId}`}>This request in the log</TextLink>
        </p>
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
