import type { Environment } from '@shopscope/environment';
import { SelectField, TextAreaField, TextField } from '../../app/components/field.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { Card, Page } from '../../app/components/page.tsx';
import { contextOf, loadPart, submit, workspaceVisit } from '../../app/pages/server.ts';
import { StoresOff } from '../../keys/pages.ts';
import type { Parameter } from '../domain/reference.ts';
import { curlOf, sampleRequestOf, sampleValueOf } from '../domain/request-samples.ts';
import { bodyField, fieldNameOf } from '../domain/typed-request.ts';
import type { Route } from './+types/try-out';
import { MethodAndPath } from './code.tsx';
import { servedOperation } from './library.server.ts';
import { Answer, Bill, Confirm, loadBill } from './try-out-parts.tsx';

export const meta: Route.MetaFunction = ({ params }) => [{ title: `Try ${params.operationId} · Shopscope` }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const { application, siteUrl } = contextOf(context);
  const operation = servedOperation(context, params.operationId);
  const { id, method, path, summary, parameters } = operation;
  const visit = workspaceVisit(context);
  const { environment } = visit.origin;
  const [bill, access] = await Promise.all([
    loadBill(context, operation),
    loadPart(context, application.dashboardKeys.state(visit)),
  ]);
  return {
    operation: { method, path, summary },
    fields: parameters
      .filter((parameter) => parameter.in !== 'header')
      .map((parameter) => shownParameter(parameter, environment)),
    body: sampleRequestOf(operation, environment).body,
    bill,
    isOff: access.value === 'off',
    isAdmin: visit.membership.role === 'admin',
    stores: `/workspaces/${params.workspaceId}/stores`,
    requests: `/workspaces/${params.workspaceId}/requests`,
    reference: `${siteUrl}/docs/reference/${id}`,
    token: crypto.randomUUID(),
  };
}

/** The part of a parameter that a field of the form shows. Examples of path parameters are real values. Query parameters are empty. */
function shownParameter(parameter: Parameter, environment: Environment) {
  const { name, description, constraints, values, isRequired } = parameter;
  return {
    name,
    isRequired,
    values: values.map(({ value }) => value),
    // Long lists of values are shown in the reference only.
    help: [description.length > 200 ? '' : description, constraints.join(', ')]
      .filter((text) => text !== '')
      .join('. '),
    example: parameter.in === 'path' ? sampleValueOf(parameter, environment) : '',
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

export default function TryOutPage({ loaderData, actionData }: Route.ComponentProps) {
  const { operation, fields, body, bill, isOff, isAdmin, stores, requests, reference, token } = loaderData;
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
            <Bill {...bill} />
            {/* The tick applies to one request. */}
            {bill.needsAgreement && <Confirm key={token} />}
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
            <Answer {...sent} requests={requests} />
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
