import { CodeBlock, Part, Prose, PublicPage } from '../../components/public/public-page.tsx';
import { publicMeta } from '../../public-meta.ts';
import { contextOf } from '../../server.ts';
import type { Route } from './+types/docs';
import type { PublicAddresses } from './layout.tsx';

export const meta: Route.MetaFunction = ({ matches }) =>
  publicMeta(matches, {
    title: 'The first call · Shopscope',
    description: 'How to get a key and look a store up, what a call costs, and where the contract of the API is.',
  });

export const loader = ({ context }: Route.LoaderArgs) => ({
  example: contextOf(context).application.publicSite.examples[0] ?? 'shop.example',
});

export default function Docs({ loaderData: { example }, matches }: Route.ComponentProps) {
  const { apiUrl, dashboardUrl } = matches[2].loaderData as PublicAddresses;
  const key = "-H 'Authorization: Bearer YOUR_KEY'";
  return (
    <PublicPage title="The first call" lead="From nothing to the profile of a store in three steps.">
      <Part title="1. Get a key">
        <Prose>
          <p>
            An admin of your workspace creates it under{' '}
            <a href={`${dashboardUrl}/settings/api-keys`} className="link">
              Settings, API keys
            </a>
            . It is shown once. Send it as a bearer token with every call.
          </p>
        </Prose>
      </Part>
      <Part title="2. Look a store up">
        <Prose>
          <p>
            Any address of the store leads to its registrable domain. A profile costs one <code>lookup_cached</code>. A
            domain that is not in the corpus answers 404 and costs nothing; it is unknown, which is no evidence that it
            is no store.
          </p>
        </Prose>
        <CodeBlock id="look-up" label="One store">
          {`curl ${apiUrl}/v1/stores/${example} \\\n  ${key}`}
        </CodeBlock>
      </Part>
      <Part title="3. Many at once, and a scan of those that are missing">
        <Prose>
          <p>
            With <code>refresh</code>, a scan is queued for each domain that is unknown or stale, and each new one costs
            one <code>lookup_live</code>. The key needs the scope <code>write:scans</code>. Repeated within 24 hours
            under the same Idempotency-Key, the same call answers the same and costs nothing more.
          </p>
        </Prose>
        <CodeBlock id="enrich" label="Several stores">
          {`curl ${apiUrl}/v1/stores/enrich \\\n  ${key} \\\n  -H 'Content-Type: application/json' \\\n  -H 'Idempotency-Key: my-first-list' \\\n  -d '{"domains": ["${example}"], "refresh": true}'`}
        </CodeBlock>
      </Part>
      <Part title="4. What became of a scan">
        <Prose>
          <p>
            The <code>scan_job_id</code> of a result is a job. It says whether the scan waits, runs, has succeeded or
            failed, and why. Reading jobs is free and needs the scope <code>read:jobs</code>. A job that is canceled
            while it is queued costs nothing.
          </p>
        </Prose>
        <CodeBlock id="job" label="One job">
          {`curl ${apiUrl}/v1/jobs/JOB_ID \\\n  ${key}`}
        </CodeBlock>
      </Part>
      <Part title="What you have left">
        <CodeBlock id="account" label="Plan, limits and usage of this period">
          {`curl ${apiUrl}/v1/account \\\n  ${key}`}
        </CodeBlock>
      </Part>
      <Part title="The contract">
        <Prose>
          <p>
            <a href={`${apiUrl}/v1/openapi.json`} className="link">
              openapi.json
            </a>{' '}
            describes every operation, its errors and its limits. Operations that are announced and not served yet have{' '}
            <code>x-served: false</code>.{' '}
            <a href={`${apiUrl}/v1`} className="link">
              The index of the service
            </a>{' '}
            lists what is served. Every error has a code, a message and the id of the request.
          </p>
        </Prose>
      </Part>
    </PublicPage>
  );
}
