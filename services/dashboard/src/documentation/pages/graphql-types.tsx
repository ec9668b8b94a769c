import { TextLink } from '../../app/components/button.tsx';
import { PublicPage } from '../../app/components/public-page.tsx';
import { fixedMeta } from '../../app/pages/public-meta.ts';
import { contextOf } from '../../app/pages/server.ts';
import type { SchemaField, SchemaMember, SchemaType, TypeUse } from '../domain/graphql-schema.ts';
import type { Route } from './+types/graphql-types';
import { ContractText } from './fields.tsx';
import { libraryOf } from './library.server.ts';

export const meta = fixedMeta({
  title: 'GraphQL schema · Shopscope docs',
  description: 'Every type of the GraphQL schema with its fields, arguments and values.',
});

export function loader({ context }: Route.LoaderArgs) {
  return { types: libraryOf(context).schema.types, dashboardUrl: contextOf(context).url };
}

export default function GraphqlTypesPage({ loaderData: { types, dashboardUrl } }: Route.ComponentProps) {
  const known = new Set(types.map(({ name }) => name));
  return (
    <>
      <PublicPage title="GraphQL schema" lead="Every type with its fields and arguments. A document begins at Query." />
      <p className="max-w-[68ch]">
        <TextLink to={`${dashboardUrl}/try/graphql`}>Try a document</TextLink> in your workspace, read the{' '}
        <TextLink to="/docs/graphql">guide</TextLink>, or take the schema as a file:{' '}
        <TextLink to="/docs/schema.graphql">schema.graphql</TextLink>.
      </p>
      <nav aria-label="Types" className="grid gap-3 rounded-[6px] border bg-sunken px-4 py-3 text-sm">
        <Names title="Objects" types={types.filter(({ kind }) => kind === 'object')} />
        <Names title="Enums" types={types.filter(({ kind }) => kind === 'enum')} />
      </nav>
      {types.map((type) => (
        <TypeEntry key={type.name} type={type} known={known} />
      ))}
    </>
  );
}

const Names = ({ title, types }: { title: string; types: readonly SchemaType[] }) => (
  <div className="grid gap-1">
    <p className="font-semibold">{title}</p>
    <ul className="columns-2 gap-4 sm:columns-3 xl:columns-4">
      {types.map(({ name }) => (
        <li key={name} className="py-0.5">
          <a href={`#${name}`} className="link font-mono text-[13px] [overflow-wrap:anywhere]">
            {name}
          </a>
        </li>
      ))}
    </ul>
  </div>
);

/** The names of the types that have an entry. Scalars of the language have none. */
type Known = ReadonlySet<string>;

function TypeEntry({ type, known }: { type: SchemaType; known: Known }) {
  const { name, kind, description, fields, values, usedBy } = type;
  return (
    <section id={name} className="grid min-w-0 scroll-mt-4 gap-2 border-t pt-5">
      <h2 className="flex flex-wrap items-baseline gap-x-3 text-xl">
        <code className="font-mono text-lg [overflow-wrap:anywhere]">{name}</code>
        <span className="text-sm font-normal text-quiet">{kind}</span>
        <a href={`#${name}`} className="anchor text-sm" aria-label={`Link to ${name}`}>
          #
        </a>
      </h2>
      <Description text={description} />
      <dl className="grid min-w-0">
        {fields.map((field) => (
          <FieldEntry key={field.name} owner={name} field={field} known={known} />
        ))}
        {values.map((value) => (
          <div key={value.name} className="grid gap-0.5 py-1">
            <dt>
              <code className="inline-code">{value.name}</code>
            </dt>
            <dd>
              <Description text={value.description} />
            </dd>
          </div>
        ))}
      </dl>
      {usedBy.length > 0 && (
        <p className="flex flex-wrap gap-x-3 gap-y-1 text-sm text-quiet">
          Used by
          {usedBy.map((place) => (
            <a key={place} href={`#${place}`} className="link font-mono text-[13px] [overflow-wrap:anywhere]">
              {place}
            </a>
          ))}
        </p>
      )}
    </section>
  );
}

function FieldEntry({ owner, field, known }: { owner: string; field: SchemaField; known: Known }) {
  const { name, description, arguments: given } = field;
  const id = `${owner}.${name}`;
  return (
    <div id={id} className="grid min-w-0 scroll-mt-4 gap-1 border-t py-3 first:border-t-0 target:bg-accent-soft">
      <dt className="flex flex-wrap items-baseline gap-x-2">
        <MemberName member={field} known={known} />
        <a href={`#${id}`} className="anchor text-sm" aria-label={`Link to ${id}`}>
          #
        </a>
      </dt>
      <dd className="grid min-w-0 gap-1">
        <Description text={description} />
        {given.length > 0 && (
          <details open={given.length < 5} className="mt-1 rounded-[6px] border">
            <summary className="px-3 py-2 text-sm text-quiet hover:text-text">
              Arguments of <code className="font-mono">{name}</code> ({given.length})
            </summary>
            <ul className="grid border-t px-3 py-1">
              {given.map((argument) => (
                <li key={argument.name} className="grid gap-0.5 py-1.5">
                  <span className="flex flex-wrap items-baseline gap-x-2">
                    <MemberName member={argument} known={known} />
                  </span>
                  <Description text={argument.description} />
                </li>
              ))}
            </ul>
          </details>
        )}
      </dd>
    </div>
  );
}

const MemberName = ({ member: { name, type }, known }: { member: SchemaMember; known: Known }) => (
  <>
    <code className="font-mono text-[13px] font-semibold [overflow-wrap:anywhere]">{name}</code>
    <Type type={type} known={known} />
  </>
);

const Type = ({ type: { before, name, after }, known }: { type: TypeUse; known: Known }) => (
  <code className="font-mono text-[13px] text-quiet">
    {before}
    {known.has(name) ? (
      <a href={`#${name}`} className="link">
        {name}
      </a>
    ) : (
      name
    )}
    {after}
  </code>
);

const Description = ({ text }: { text: string }) =>
  text === '' ? null : (
    <p className="max-w-[68ch] [overflow-wrap:anywhere]">
      <ContractText text={text} />
    </p>
  );
