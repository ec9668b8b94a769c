import { ForeignText } from '../../app/components/foreign-text.tsx';
import { Section } from '../../app/components/page.tsx';
import type { Store } from '../domain/store.ts';
import { StoreCatalog } from './store-catalog.tsx';
import { namesOfSlugs, StoreSignals } from './store-signals.tsx';
import { StoreTechnologies } from './store-technologies.tsx';

/** The part of a store's profile below the header. The server renders it, and it needs no script. */
export function StoreProfile({ store }: { store: Store }) {
  const nameOf = namesOfSlugs([...store.technologies, store.platform]);
  return (
    <>
      <Section title="Technologies" note={countOf(store.technologies.length)}>
        <StoreTechnologies technologies={store.technologies} />
      </Section>
      <Section title="Recent changes" note="The last five confirmed ones" isCard>
        <StoreSignals signals={store.recent_signals} nameOf={nameOf} />
      </Section>
      <Section title="Catalogue" isCard>
        <StoreCatalog catalog={store.catalog} />
      </Section>
      <Section title="What we could not see">
        <p className="max-w-[68ch]">
          <Unseen observation={store.observation} />
        </p>
      </Section>
    </>
  );
}

const countOf = (count: number) => (count === 1 ? '1 technology' : `${count} technologies`);

/** Shows the parts of the store that the latest scan looked for and missed. */
function Unseen({ observation: { scope, coverage_note } }: Pick<Store, 'observation'>) {
  if (scope === 'full') {
    return (
      <>
        The latest scan saw everything that it looks at. A technology that is not listed was not there.{' '}
        {coverage_note && <ForeignText text={coverage_note} max={500} />}
      </>
    );
  }
  return (
    <>
      {coverage_note ? <ForeignText text={coverage_note} max={500} /> : 'A part of the store could not be seen.'} A
      technology that is not listed may still be there.
    </>
  );
}
