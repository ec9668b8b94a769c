import { Badge } from '../../app/components/badge.tsx';
import { ForeignText } from '../../app/components/foreign-text.tsx';
import { type Column, Table } from '../../app/components/table.tsx';
import { Time } from '../../app/components/time.tsx';
import type { StoreTechnology } from '../domain/store.ts';
import { asWords, groupedTechnologies, installStateOf } from './store-labels.ts';

/** The largest known profiles have fewer technologies. */
const maxShown = 400;

/** Technologies that are only set up, and were not seen working, are shown less prominently. */
const isQuiet = ({ install_state }: StoreTechnology) => install_state === 'configured';

/** The technologies of a store by category: name, state, first observation, and the last scan that confirmed it. */
export function StoreTechnologies({ technologies }: { technologies: readonly StoreTechnology[] }) {
  if (technologies.length === 0) return <p className="text-quiet">The scans have found no technology.</p>;
  return (
    <div className="grid gap-3">
      <Table
        label="Technologies"
        columns={columns}
        rows={groupedTechnologies(technologies.slice(0, maxShown)).flatMap((group) => group.technologies)}
        keyOf={({ slug, name }) => `${slug} ${name}`}
        groupOf={({ category }) => asWords(category)}
        isQuiet={isQuiet}
      />
      {technologies.length > maxShown && (
        <p className="text-sm text-quiet">The first {maxShown} technologies are shown.</p>
      )}
    </div>
  );
}

const columns: Column<StoreTechnology>[] = [
  {
    header: 'Technology',
    className: 'md:w-[40%]',
    cell: (technology) => (
      <span className={isQuiet(technology) ? '' : 'font-medium'}>
        <ForeignText text={technology.name} max={80} />
      </span>
    ),
  },
  {
    header: 'State',
    cell: ({ install_state }) => {
      const { word, tone } = installStateOf(install_state);
      return <Badge tone={tone}>{word}</Badge>;
    },
  },
  {
    header: 'Since',
    cell: ({ first_observed_at }) => <Time ms={Date.parse(first_observed_at)} as="date" />,
  },
  {
    header: 'Last confirmed',
    cell: ({ last_confirmed_at }) => <Time ms={Date.parse(last_confirmed_at)} />,
  },
];
