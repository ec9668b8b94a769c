import { useState } from 'react';
import { data, Link } from 'react-router';
import { SelectField, TextAreaField } from '../../app/components/field.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { Card, Page } from '../../app/components/page.tsx';
import { contextOf, loadPart, submit, workspaceVisit } from '../../app/pages/server.ts';
import { StoresOff } from '../../keys/pages.ts';
import { operationNamesOf } from '../domain/graphql-document.ts';
import { graphqlExamplesOf } from '../domain/graphql-examples.ts';
import { curlOf } from '../domain/request-samples.ts';
import type { Route } from './+types/try-graphql';
import { MethodAndPath } from './code.tsx';
import { Cost, MarkedLines } from './graphql-answer.tsx';
import { servedOperation } from './library.server.ts';
import { Answer, Bill, Confirm, loadBill } from './try-out-parts.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Try GraphQL · Shopscope' }];

const operationId = 'graphql';

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { application, siteUrl } = contextOf(context);
  const operation = servedOperation(context, operationId);
  const visit = workspaceVisit(context);
  const [bill, access] = await Promise.all([
    loadBill(context, operation),
    loadPart(context, application.dashboardKeys.state(visit)),
  ]);
  const examples = graphqlExamplesOf(visit.origin.environment);
  const wanted = new URL(request.url).searchParams.get('document');
  const workspace = `/workspaces/${params.workspaceId}`;
  return {
    operation: { method: operation.method, path: operation.path, summary: operation.summary },
    examples: examples.map(({ id, title }) => ({ id, title })),
    example: examples.find(({ id }) => id === wanted) ?? examples[0],
    bill,
    isOff: access.value === 'off',
    isAdmin: visit.membership.role === 'admin',
    stores: `${workspace}/stores`,
    requests: `${workspace}/requests`,
    docs: `${siteUrl}/docs`,
    token: crypto.randomUUID(),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const operation = servedOperation(context, operationId);
  return submit({ request, context }, async (form, { tryGraphql, publicApiUrl }) => {
    const send = async (isQuote: boolean) => {
      const answer = await tryGraphql.sendDocument(workspaceVisit(context), operation, {
        query: form.secret('query'),
        variables: form.text('variables'),
        operationName: form.text('operation_name'),
        token: form.text('token'),
        isConfirmed: form.text('confirm') === 'yes',
        isQuote,
      });
      const command = curlOf(answer.request, { apiUrl: publicApiUrl, needsKey: true });
      return { answer, command, values: form.typed(), requestId: contextOf(context).origin.requestId };
    };
    switch (form.text('intent')) {
      case 'cost':
        return send(true);
      case 'run':
        return send(false);
      default:
        throw data({}, { status: 404 });
    }
  });
}

export default function TryGraphqlPage({ loaderData, actionData }: Route.ComponentProps) {
  const { operation, examples, example, isOff, isAdmin, stores, requests, docs } = loaderData;
  const sent = actionData && 'answer' in actionData ? actionData : undefined;
  return (
    <Page
      title={operation.summary}
      lead={<MethodAndPath method={operation.method} path={operation.path} />}
      action={
        <span className="flex gap-4">
          <a href={`${docs}/graphql/schema`} className="link">
            Schema
          </a>
          <a href={`${docs}/reference/${operationId}`} className="link">
            Reference
          </a>
        </span>
      }
    >
      {isOff && <StoresOff action={stores} isAdmin={isAdmin} />}
      <nav aria-label="Documents to begin with" className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <span className="text-quiet">Begin with</span>
        {examples.map(({ id, title }) => (
          <Link
            key={id}
            to={`?document=${id}`}
            aria-current={id === example?.id ? 'true' : undefined}
            className="link aria-[current]:font-medium aria-[current]:text-text"
          >
            {title}
          </Link>
        ))}
      </nav>
      <div className="grid gap-6 lg:grid-cols-2">
        <Card className="self-start">
          {/* Another example is another form. */}
          <DocumentForm key={example?.id} {...loaderData} actionData={actionData} />
        </Card>
        <div className="grid min-w-0 content-start gap-6" aria-live="polite">
          {sent ? (
            <Answer {...sent} requests={requests}>
              {sent.answer.cost && <Cost cost={sent.answer.cost} isQuote={sent.values.intent === 'cost'} />}
            </Answer>
          ) : (
            <p className="text-quiet">
              Cost says what the document can bill at most, and bills nothing. The answer is shown here, with the same
              request as curl.
            </p>
          )}
        </div>
      </div>
    </Page>
  );
}

type Sent = Extract<NonNullable<Route.ComponentProps['actionData']>, { answer: unknown }>;
type FormProps = Route.ComponentProps['loaderData'] & { actionData: Route.ComponentProps['actionData'] | undefined };

function DocumentForm({ example, bill, isOff, token, actionData }: FormProps) {
  const sent = actionData && 'answer' in actionData ? actionData : undefined;
  const refused = actionData && 'problem' in actionData ? actionData : undefined;
  // Without script, the page after an answer keeps what was typed, too.
  const failed = refused ?? (sent && answeredForm(sent));
  const [names, setNames] = useState(() => operationNamesOf(failed?.values.query ?? example?.query ?? ''));
  return (
    <PostForm failed={failed} fields={['query', 'variables', 'operation_name', 'confirm']}>
      {/* With a new token, the next request is another one. */}
      <input type="hidden" name="token" value={refused?.values.token ?? token} />
      <TextAreaField
        label="Document"
        name="query"
        rows={14}
        required
        spellCheck={false}
        autoCapitalize="none"
        defaultValue={example?.query}
        onChange={({ target }) => setNames(operationNamesOf(target.value))}
        className="font-mono text-[13px]"
      />
      {sent?.answer.marked && <MarkedLines {...sent.answer.marked} />}
      <TextAreaField
        label="Variables, JSON (optional)"
        name="variables"
        rows={4}
        spellCheck={false}
        autoCapitalize="none"
        defaultValue={example?.variables && JSON.stringify(example.variables, null, 2)}
        className="font-mono text-[13px]"
      />
      {names.length > 1 && (
        <SelectField
          label="Operation"
          name="operation_name"
          options={names.map((name) => [name, name] as const)}
          help="The document has several operations. One of them runs."
        />
      )}
      <Bill {...bill} />
      {/* The tick applies to one request. */}
      {bill.needsAgreement && <Confirm key={token} />}
      <div className="flex flex-wrap gap-2">
        <SubmitButton name="intent" value="run" disabled={isOff}>
          Run
        </SubmitButton>
        {/* A quote needs no tick. */}
        <SubmitButton name="intent" value="cost" kind="secondary" formNoValidate disabled={isOff}>
          Cost
        </SubmitButton>
      </div>
      <p className="text-sm text-quiet">
        It is sent under the workspace's key Dashboard, and stands in the log of requests. The browser gets no key.
      </p>
    </PostForm>
  );
}

/** The state of the form after an answer. An error of the API that concerns a field is shown at the field. */
const answeredForm = ({ values, answer: { problem } }: Pick<Sent, 'values' | 'answer'>) =>
  problem ? { values, problem } : { values };
