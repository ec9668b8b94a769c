import type { ReactNode } from 'react';
import { Badge } from '../../app/components/badge.tsx';
import { ForeignText } from '../../app/components/foreign-text.tsx';
import { Time } from '../../app/components/time.tsx';
import type { StoreTechnology } from '../domain/store.ts';
import { asWords, groupedTechnologies, installStateOf, type TechnologyGroup } from './store-labels.ts';

/** The largest known profiles have fewer. */
const maxShown = 400;

const cell = 'md:h-10 md:border-b md:px-3 md:py-1.5 md:first:pl-0';
const header = 'h-9 border-b px-3 text-xs font-medium whitespace-nowrap text-quiet first:pl-0';

/**
 * The technologies of a store by category: name, state, since when, and when a scan confirmed it last. Those that are only set up, and
 * not seen working, are quieter. On phones each technology is a card.
 */
export function StoreTechnologies({ technologies }: { technologies: readonly StoreTechnology[] }) {
  if (technologies.length === 0) return <p className="text-quiet">The scans have found no technology.</p>;
  return (
    <div className="grid gap-3">
      <table aria-label="Technologies" className="block w-full border-collapse text-left md:table">
        <thead className="sr-only md:not-sr-only md:table-header-group">
          <tr>
            <th scope="col" className={`${header} md:w-[40%]`}>
              Technology
            </th>
            <th scope="col" className={header}>
              State
            </th>
            <th scope="col" className={header}>
              Since
            </th>
            <th scope="col" className={header}>
              Last confirmed
            </th>
          </tr>
        </thead>
        {groupedTechnologies(technologies.slice(0, maxShown)).map((group) => (
          <Group key={group.category} group={group} />
        ))}
      </table>
      {technologies.length > maxShown && (
        <p className="text-sm text-quiet">The first {maxShown} technologies are shown.</p>
      )}
    </div>
  );
}

function Group({ group: { category, technologies } }: { group: TechnologyGroup }) {
  return (
    <tbody className="mb-4 grid gap-2 md:table-row-group">
      <tr className="block md:table-row">
        <th
          scope="rowgroup"
          colSpan={4}
          className="block font-semibold [overflow-wrap:anywhere] md:table-cell md:border-b md:pt-5 md:pb-1.5"
        >
          {asWords(category)}
        </th>
      </tr>
      {technologies.map((technology) => (
        <Row key={`${technology.slug} ${technology.name}`} technology={technology} />
      ))}
    </tbody>
  );
}

function Row({ technology }: { technology: StoreTechnology }) {
  const { word, tone } = installStateOf(technology.install_state);
  const isQuiet = technology.install_state === 'configured';
  return (
    <tr
      className={`grid gap-1 rounded border bg-raised p-3 md:table-row md:rounded-none md:border-0 md:bg-transparent md:p-0 md:hover:bg-sunken ${isQuiet ? 'text-quiet' : ''}`}
    >
      <td className={`${cell} ${isQuiet ? '' : 'font-medium'}`}>
        <ForeignText text={technology.name} max={80} />
      </td>
      <Cell name="State">
        <Badge tone={tone}>{word}</Badge>
      </Cell>
      <Cell name="Since">
        <Time ms={Date.parse(technology.first_observed_at)} as="date" />
      </Cell>
      <Cell name="Last confirmed">
        <Time ms={Date.parse(technology.last_confirmed_at)} />
      </Cell>
    </tr>
  );
}

function Cell({ name, children }: { name: string; children: ReactNode }) {
  return (
    <td className={`flex items-baseline justify-between gap-4 md:table-cell ${cell}`}>
      <span className="text-sm text-quiet md:hidden">{name}</span>
      <span className="min-w-0">{children}</span>
    </td>
  );
}
