import { canonicalizeDomain } from '@shopscope/domain-name';
import { data, redirect } from 'react-router';
import { isolatedText } from '../../app/components/foreign-text.tsx';
import { PublicPage } from '../../app/components/public-page.tsx';
import { StoreSearch } from '../../app/pages/public-layout.tsx';
import { fixedMeta } from '../../app/pages/public-meta.ts';
import type { Route } from './+types/store-search';

export const meta = fixedMeta({
  title: 'Look a store up · Shopscope',
  description: 'What Shopscope knows about a store, by its domain.',
});

/** Redirects from the search field to the page of the store. */
export function loader({ request }: Route.LoaderArgs) {
  const input = new URL(request.url).searchParams.get('domain') ?? '';
  if (input === '') return data({ input });
  const canonical = canonicalizeDomain(input);
  if (canonical.ok) throw redirect(`/stores/${canonical.value.domain}`);
  return data({ input }, { status: 400 });
}

export default function StoreSearchPage({ loaderData: { input } }: Route.ComponentProps) {
  return (
    <PublicPage title="Look a store up" lead="A domain such as shop.example, or any address of the store.">
      <StoreSearch
        label="Domain of a store"
        className="max-w-md"
        value={input}
        {...(input !== '' && { problem: `“${isolatedText(input, 100)}” is not a domain of a store.` })}
      />
    </PublicPage>
  );
}
