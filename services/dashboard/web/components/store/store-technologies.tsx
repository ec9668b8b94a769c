import type { StoreTechnology } from '../../../src/domain/store.ts';
import { Badge } from '../badge.tsx';
import { type Column, Table } from '../table.tsx';
import { Time } from '../time.tsx';
import { StoreText } from './store-text.tsx';
import { asWords, groupedTechnologies, installStateOf } from './store-words.ts';

/** The largest known profiles have fewer. */
const shownMax = 400;

const isQuiet = ({ install_state }: StoreTechnology) => install_state === 'configured';

const columns: Column<StoreTechnology>[] = [
  {
    header: 'Technology',
    className: 'md:w-[40%]',
    cell: (technology) => (
      <span className={isQuiet(technology) ? 'text-quiet' : 'font-medium'}>
        <StoreText text={technology.name} max={80} />
      </span>
    ),
  },
  { header: 'State', className: 'md:w-[20%]', cell: (technology) => <InstallState value={technology} /> },
  {
    header: 'Since',
    className: 'md:w-[20%]',
    cell: (technology) => <When value={technology} iso={technology.first_observed_at} as="date" />,
  },
  {
    header: 'Last confirmed',
    className: 'md:w-[20%]',
    cell: (technology) => <When value={technology} iso={technology.last_confirmed_at} as="relative" />,
  },
];

/** The technologies of a store by category. Those that are only set up, and not seen working, are quieter. */
export function StoreTechnologies({ technologies }: { technologies: readonly StoreTechnology[] }) {
  if (technologies.length === 0) return <p className="text-quiet">The scans have found no technology.</p>;
  const groups = groupedTechnologies(technologies.slice(0, shownMax));
  return (
    <div className="grid gap-6">
      {groups.map(({ category, technologies: members }) => (
        <section key={category} className="grid gap-2">
          <h3 className="[overflow-wrap:anywhere]">{asWords(category)}</h3>
          <Table
            label={`Technologies: ${asWords(category)}`}
            columns={columns}
            rows={members}
            keyOf={({ slug, name }) => `${slug} ${name}`}
          />
        </section>
      ))}
      {technologies.length > shownMax && (
        <p className="text-sm text-quiet">The first {shownMax} technologies are shown.</p>
      )}
    </div>
  );
}

function InstallState({ value }: { value: StoreTechnology }) {
  const { word, tone } = installStateOf(value.install_state);
  return <Badge tone={tone}>{word}</Badge>;
}

function When({ value, iso, as }: { value: StoreTechnology; iso: string; as: 'date' | 'relative' }) {
  return (
    <span className={isQuiet(value) ? 'text-quiet' : ''}>
      <Time ms={Date.parse(iso)} as={as} />
    </span>
  );
}
