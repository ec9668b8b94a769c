import { TextLink } from '../../app/components/button.tsx';
import { Part, Prose } from '../../app/components/public-page.tsx';
import { StoreSearch } from '../../app/pages/public-layout.tsx';
import { fixedMeta } from '../../app/pages/public-meta.ts';
import { contextOf, loadPart } from '../../app/pages/server.ts';
import { Curl } from '../../documentation/pages.ts';
import type { Route } from './+types/front';

const title = 'Shopscope: what online stores run on, by domain';
const description =
  'Platform, technologies, country, industry, catalogue and confirmed changes of any web store, from completed scans, over one HTTP API.';

export const meta = fixedMeta({ title, description });

export async function loader({ context }: Route.LoaderArgs) {
  const { application, origin } = contextOf(context);
  const { examples, corpus } = application.publicSite;
  return {
    examples: examples(),
    corpus: (await loadPart(context, corpus(origin))).value,
    apiUrl: application.publicApiUrl,
  };
}

const facts = [
  ['What it runs on', 'The platform, and apps, services and themes with the state in which each was seen.'],
  ['What changed', 'Technologies added and removed, moves to another platform: each confirmed before it is reported.'],
  ['What it sells, and where', 'Country, industry, number of products and the range of prices.'],
  ['How sure that is', 'Each fact has its date and confidence. What no scan has seen is reported as unknown.'],
] as const;

export default function Front({ loaderData: { examples, corpus, apiUrl } }: Route.ComponentProps) {
  const example = examples[0] ?? 'shop.example';
  return (
    <>
      <header className="grid gap-4 pt-4 md:pt-8">
        <h1 className="max-w-[24ch] text-2xl">What any online store runs on, by its domain</h1>
        <p className="max-w-[60ch] text-lg text-quiet">
          Shopscope visits stores and keeps what completed scans have shown: platform, technologies, country, industry,
          catalogue, and what changed since.
        </p>
        <StoreSearch label="Domain of a store" className="max-w-md" />
        {examples.length > 0 && (
          <p className="flex flex-wrap gap-x-4 gap-y-1 text-quiet">
            For example
            {examples.map((domain) => (
              <a key={domain} href={`/stores/${domain}`} className="link code">
                {domain}
              </a>
            ))}
          </p>
        )}
      </header>
      <dl className="grid gap-x-8 gap-y-6 sm:grid-cols-2">
        {facts.map(([term, text]) => (
          <div key={term} className="grid content-start gap-1">
            <dt className="text-lg font-semibold">{term}</dt>
            <dd className="max-w-[52ch] text-quiet">{text}</dd>
          </div>
        ))}
      </dl>
      <Part title="One request">
        <Prose>
          <p>
            One call with an API key returns the profile of a store. One call may name up to 100 domains, and it can
            scan stores that are unknown or stale. <TextLink to="/docs">The first call, step by step</TextLink>
          </p>
        </Prose>
        <Curl id="first-call" label="Look a store up" path={`/v1/stores/${example}`} apiUrl={apiUrl} />
      </Part>
      {corpus && (
        <p className="text-quiet">
          {corpus.stores !== undefined && <>{corpus.stores.toLocaleString('en')} live stores in the corpus, </>}
          <TextLink to="/technologies">{corpus.technologies.toLocaleString('en')} technologies</TextLink> recognized.
        </p>
      )}
    </>
  );
}
