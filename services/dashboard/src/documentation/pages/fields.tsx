import { createContext, useContext } from 'react';
import { TextLink } from '../../app/components/button.tsx';
import { anchorOfField, type Field } from '../domain/fields.ts';

/** Down to this depth, nested members are shown without opening them. */
const openDepth = 1;

/** A list of members of a body, parameters or headers. `part` is the prefix of their anchors. */
export function FieldList({ part, fields, depth = 0 }: { part: string; fields: readonly Field[]; depth?: number }) {
  return (
    <dl className="grid min-w-0">
      {fields.map((field) => (
        <FieldEntry key={field.path} part={part} field={field} depth={depth} />
      ))}
    </dl>
  );
}

function FieldEntry({ part, field, depth }: { part: string; field: Field; depth: number }) {
  const { name, path, type, isRequired, description, constraints, fields } = field;
  const id = anchorOfField(part, path);
  return (
    <div id={id} className="grid min-w-0 scroll-mt-4 gap-1 border-t py-3 first:border-t-0 target:bg-accent-soft">
      <dt className="flex flex-wrap items-baseline gap-x-2">
        <code className="font-mono text-[13px] font-semibold [overflow-wrap:anywhere]">{name}</code>
        <span className="text-sm text-quiet">{type}</span>
        {!isRequired && <span className="text-sm text-quiet">optional</span>}
        <a href={`#${id}`} className="anchor text-sm" aria-label={`Link to ${path}`}>
          #
        </a>
      </dt>
      <dd className="grid min-w-0 gap-1">
        {description !== '' && (
          <p className="max-w-[68ch] [overflow-wrap:anywhere]">
            <ContractText text={description} />
          </p>
        )}
        {constraints.length > 0 && (
          <p className="text-sm text-quiet [overflow-wrap:anywhere]">{constraints.join(' · ')}</p>
        )}
        <Values field={field} />
        {fields.length > 0 && (
          <details open={depth < openDepth} className="mt-1 rounded-[6px] border">
            <summary className="px-3 py-2 text-sm text-quiet hover:text-text">
              Members of <code className="font-mono">{name}</code> ({fields.length})
            </summary>
            <div className="border-t px-3">
              <FieldList part={part} fields={fields} depth={depth + 1} />
            </div>
          </details>
        )}
      </dd>
    </div>
  );
}

function Values({ field: { values, isOpen } }: { field: Field }) {
  if (values.length === 0) return null;
  const note = isOpen && <p className="text-sm text-quiet">A later release may add values.</p>;
  if (values.every(({ meaning }) => meaning === '')) {
    return (
      <>
        <p className="flex flex-wrap gap-1.5 text-sm">
          {values.map(({ value }) => (
            <code key={value} className="inline-code">
              {value}
            </code>
          ))}
        </p>
        {note}
      </>
    );
  }
  return (
    <>
      <ul className="mt-1 grid max-w-[68ch] gap-1 text-sm">
        {values.map(({ value, meaning }) => (
          <li key={value}>
            <code className="inline-code">{value}</code> <ContractText text={meaning} />
          </li>
        ))}
      </ul>
      {note}
    </>
  );
}

/** The ids of operations by method and path, for links in texts of the contract. */
export const OperationLinks = createContext<Readonly<Record<string, string>>>({});

const named = /(GET|POST|PATCH|DELETE) \/[\w/{}.]*[\w}]/g;

/** A text of the contract. Operations in it are links to their pages. */
export function ContractText({ text }: { text: string }) {
  const links = useContext(OperationLinks);
  const parts = [];
  let from = 0;
  for (const { index, 0: found } of text.matchAll(named)) {
    const id = links[found];
    if (id === undefined) continue;
    parts.push(
      text.slice(from, index),
      <TextLink key={index} to={`/docs/reference/${id}`}>
        {found}
      </TextLink>,
    );
    from = index + found.length;
  }
  return [...parts, text.slice(from)];
}
