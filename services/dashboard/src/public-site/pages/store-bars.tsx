import { TextLink } from '../../app/components/button.tsx';
import { formatNumber } from '../../app/components/formats.ts';

export interface StoreBar {
  value: string;
  name: string;
  stores: number;
  /** The page of the value. */
  href?: string;
}

/** Numbers of stores as a table with a bar beside each number. The bars begin at zero. */
export function StoreBars({ title, first, bars }: { title: string; first: string; bars: readonly StoreBar[] }) {
  const most = Math.max(1, ...bars.map(({ stores }) => stores));
  return (
    <table className="mb-8 w-full table-fixed break-inside-avoid border-collapse text-left">
      <caption className="pb-1 text-left font-semibold">{title}</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">{first}</th>
          <th scope="col">Stores</th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ value, name, stores, href }) => (
          <tr key={value} className="border-b">
            <th scope="row" className="w-2/5 py-1.5 pr-3 font-normal [overflow-wrap:anywhere]">
              {href === undefined ? name : <TextLink to={href}>{name}</TextLink>}
            </th>
            <td className="py-1.5">
              <span className="flex items-center gap-3">
                <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" className="h-2 min-w-0 grow">
                  <rect width={(stores / most) * 100} height="8" className="fill-series-1" />
                </svg>
                <span className="amount min-w-14 text-right">{formatNumber(stores)}</span>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
