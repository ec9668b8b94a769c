import { formatNumber } from '../../app/components/formats.ts';
import type { DocumentAnswer } from '../operations/try-graphql.ts';

type Cost = NonNullable<DocumentAnswer['cost']>;

/** `extensions.cost` of an answer. A quote has billed nothing. */
export function Cost({ cost: { requested, billed, nodes }, isQuote }: { cost: Cost; isQuote: boolean }) {
  const units = Object.entries(requested).filter(([, most]) => most > 0);
  return (
    <table className="w-full text-sm" aria-label="Cost">
      <thead>
        <tr className="border-b text-left text-xs text-quiet">
          <th scope="col" className="py-1.5 font-medium">
            Cost
          </th>
          <th scope="col" className="py-1.5 text-right font-medium">
            At most
          </th>
          <th scope="col" className="py-1.5 text-right font-medium">
            Billed
          </th>
        </tr>
      </thead>
      <tbody>
        {units.map(([unit, most]) => (
          <Row key={unit} name={unit} most={most} billed={isQuote ? undefined : billed[unit]} />
        ))}
        {units.length === 0 && <Row name="Units" most={0} billed={isQuote ? undefined : 0} />}
        <tr>
          <th scope="row" className="py-1.5 text-left font-normal">
            Nodes
          </th>
          <td className="amount py-1.5 text-right" colSpan={2}>
            {formatNumber(nodes.requested)} of {formatNumber(nodes.limit)}
          </td>
        </tr>
      </tbody>
    </table>
  );
}

const Row = ({ name, most, billed }: { name: string; most: number; billed: number | undefined }) => (
  <tr className="border-b">
    <th scope="row" className="code py-1.5 text-left font-normal">
      {name}
    </th>
    <td className="amount py-1.5 text-right">{formatNumber(most)}</td>
    <td className="amount py-1.5 text-right">{billed === undefined ? 'not run' : formatNumber(billed)}</td>
  </tr>
);

/** The lines of the document around an error. The mark is below the column of the error. */
export function MarkedLines({ line, column, lines }: NonNullable<DocumentAnswer['marked']>) {
  return (
    <figure className="grid min-w-0 gap-1">
      <figcaption className="text-sm text-danger">
        Line {line}, column {column}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls has to be reachable by keyboard. */}
      <pre tabIndex={0} className="overflow-auto rounded-[6px] border bg-sunken py-2 font-mono text-[13px]">
        {lines.map(({ number, text }) => (
          <span key={number} className={`block px-3 ${number === line ? 'bg-danger-soft' : ''}`}>
            <span className="text-quiet select-none">{String(number).padStart(4)} </span>
            {text}
            {number === line && (
              <span aria-hidden className="block text-danger select-none">
                {' '.repeat(4 + Math.min(column, text.length + 1))}^
              </span>
            )}
          </span>
        ))}
      </pre>
    </figure>
  );
}
