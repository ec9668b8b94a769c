import { TextLink } from '../../app/components/button.tsx';
import { Notice } from '../../app/components/page.tsx';
import { PublicPage } from '../../app/components/public-page.tsx';
import { publicMeta } from '../../app/pages/public-meta.ts';
import { contextOf, found } from '../../app/pages/server.ts';
import type { Operation, OperationError, Success } from '../domain/reference.ts';
import { asJson } from '../domain/reference-markdown.ts';
import { type Samples, sampleLanguages, samplesOf } from '../domain/request-samples.ts';
import type { Route } from './+types/operation';
import { Code, MethodAndPath, Sample } from './code.tsx';
import { ContractText, FieldList, OperationLinks } from './fields.tsx';
import { libraryOf } from './library.server.ts';

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  loaderData
    ? publicMeta(matches, {
        title: `${loaderData.operation.id} · Shopscope reference`,
        description: `${loaderData.operation.method} ${loaderData.operation.path}: ${loaderData.operation.summary}.`,
      })
    : [];

export function loader({ params, context }: Route.LoaderArgs) {
  const { operation: find, families, apiUrl } = libraryOf(context);
  const operation = found(find(params.operationId));
  const operations = families.flatMap((family) => family.operations);
  const links = Object.fromEntries(operations.map(({ id, method, path }) => [`${method} ${path}`, id]));
  return { operation, links, samples: samplesOf(operation, apiUrl), dashboardUrl: contextOf(context).url };
}

export default function OperationPage({
  loaderData: { operation, links, samples, dashboardUrl },
}: Route.ComponentProps) {
  const { id, method, path, summary, description, isServed, parameters, body, successes, errors } = operation;
  return (
    <OperationLinks value={links}>
      <PublicPage title={summary} />
      <p className="-mt-2 rounded-[6px] border bg-sunken px-3 py-2">
        <MethodAndPath method={method} path={path} />
      </p>
      {!isServed && (
        <Notice kind="warning" title="Announced">
          This operation is in the contract and not served yet. It answers 501{' '}
          <TextLink to="/docs/errors#not_implemented">not_implemented</TextLink>.
        </Notice>
      )}
      <div className="grid gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,440px)] xl:grid-rows-[auto_1fr]">
        <div className="grid min-w-0 content-start gap-6">
          {description !== '' && <Description text={description} />}
          <Facts operation={operation} />
        </div>
        <div className="grid min-w-0 content-start gap-4 xl:sticky xl:top-6 xl:row-span-2 xl:max-h-[calc(100dvh-48px)] xl:self-start xl:overflow-y-auto">
          <Sample
            id="request"
            label="Request"
            codes={sampleOrder.map((language) => ({ language, text: samples[language] }))}
          />
          {isServed && (
            <p className="text-sm text-quiet">
              {operation.needsKey && (
                <>
                  Stores of the samples are in the <TextLink to="/docs/test-tenant">test tenant</TextLink>: with a test
                  key, they cost nothing.{' '}
                </>
              )}
              <TextLink to={`${dashboardUrl}/try/${id}`}>Try it</TextLink> in your workspace
              {operation.billing === 'free' ? '.' : ': the page says what it bills before.'}
            </p>
          )}
          {successes.map(({ status, example }) =>
            example === undefined ? null : (
              <Code
                key={status}
                id={`answer-${status}`}
                label={`Response ${status}`}
                language="json"
                text={asJson(example)}
              />
            ),
          )}
        </div>
        <div className="grid min-w-0 content-start gap-8">
          <Parameters parameters={parameters} />
          {body && (
            <ReferencePart id="body" title="Request body">
              <FieldList part="body" fields={body.fields} />
            </ReferencePart>
          )}
          {successes.map((success) => (
            <Answer key={success.status} success={success} />
          ))}
        </div>
      </div>
      <Errors errors={errors} />
      <p className="border-t pt-4 text-sm text-quiet">
        <TextLink to={`/docs/reference/${id}.md`}>This page as Markdown</TextLink>
      </p>
    </OperationLinks>
  );
}

const sampleOrder = Object.keys(sampleLanguages) as (keyof Samples)[];

const Description = ({ text }: { text: string }) => (
  <div className="grid max-w-[68ch] gap-3 [overflow-wrap:anywhere]">
    {text.split('\n\n').map((paragraph) => (
      <p key={paragraph}>
        <ContractText text={paragraph} />
      </p>
    ))}
  </div>
);

function Facts({ operation: { id, needsKey, scope, billing, family } }: { operation: Operation }) {
  const facts = [
    ['Operation', <code className="inline-code">{id}</code>],
    ['Family', family],
    [
      'Key',
      !needsKey ? (
        'none: the route is public'
      ) : scope === undefined ? (
        'any valid key'
      ) : (
        <>
          a key with the scope{' '}
          <TextLink to="/docs/authentication#scopes">
            <code>{scope}</code>
          </TextLink>
        </>
      ),
    ],
    ['Billing', billing === 'free' ? 'free' : billing],
  ] as const;
  return (
    <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[96px_minmax(0,1fr)]">
      {facts.map(([term, value]) => (
        <div key={term} className="contents">
          <dt className="text-quiet">{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const places = { path: 'Path parameters', query: 'Query parameters', header: 'Request headers' } as const;

const Parameters = ({ parameters }: Pick<Operation, 'parameters'>) =>
  (Object.keys(places) as (keyof typeof places)[]).map((place) => {
    const fields = parameters.filter((parameter) => parameter.in === place);
    return fields.length === 0 ? null : (
      <ReferencePart key={place} id={`${place}-parameters`} title={places[place]}>
        <FieldList part="parameter" fields={fields} />
      </ReferencePart>
    );
  });

function Answer({ success: { status, description, fields, headers } }: { success: Success }) {
  return (
    <ReferencePart id={`response-${status}`} title={`Response ${status}`}>
      <p className="max-w-[68ch]">{description}</p>
      <FieldList part={String(status)} fields={fields} />
      <details className="rounded-[6px] border">
        <summary className="px-3 py-2 text-sm text-quiet hover:text-text">
          Headers of {status} ({headers.length})
        </summary>
        <div className="border-t px-3">
          <FieldList part={`${status}-header`} fields={headers} />
        </div>
      </details>
    </ReferencePart>
  );
}

function Errors({ errors }: { errors: readonly OperationError[] }) {
  return (
    <ReferencePart id="errors" title="Errors">
      <p className="max-w-[68ch]">
        Every error has the same body. Branch on <code className="inline-code">error.code</code>: the wording of a
        message may change.
      </p>
      <ul className="grid">
        {errors.map((error) => (
          <ErrorEntry key={`${error.status}-${error.code}`} error={error} />
        ))}
      </ul>
    </ReferencePart>
  );
}

function ErrorEntry({ error: { status, code, meaning, action, examples, headers } }: { error: OperationError }) {
  const id = `error-${status}-${code}`;
  return (
    <li id={id} className="grid gap-x-10 gap-y-2 border-t py-4 xl:grid-cols-[minmax(0,1fr)_minmax(0,440px)]">
      <div className="grid content-start gap-1">
        <p>
          <span className="amount mr-2 font-semibold">{status}</span>
          <TextLink to={`/docs/errors#${code}`}>
            <code>{code}</code>
          </TextLink>
        </p>
        <p className="max-w-[68ch]">{meaning}</p>
        <p className="max-w-[68ch] text-quiet">
          <ContractText text={action} />
        </p>
        <p className="text-sm text-quiet [overflow-wrap:anywhere]">
          Headers: {headers.map(({ name }) => name).join(', ')}
        </p>
      </div>
      <div className="grid min-w-0 content-start gap-2">
        {examples.map((example, n) => (
          <details key={JSON.stringify(example)}>
            <summary className="text-sm text-quiet hover:text-text">
              Example of {status} {code}
              {n > 0 && ` (${n + 1})`}
            </summary>
            <div className="mt-2">
              <Code
                id={`${id}-${n}`}
                label={`${status} ${code}${n > 0 ? ` (${n + 1})` : ''}`}
                language="json"
                text={asJson(example)}
              />
            </div>
          </details>
        ))}
      </div>
    </li>
  );
}

const ReferencePart = ({ id, title, children }: { id: string; title: string; children: React.ReactNode }) => (
  <section className="grid min-w-0 content-start gap-2">
    <h2 id={id} className="scroll-mt-4 text-xl">
      {title}
      <a href={`#${id}`} className="anchor" aria-label={`Link to ${title}`}>
        #
      </a>
    </h2>
    {children}
  </section>
);
