import { formatNumber } from './number.tsx';

/** Used units of an allowance as a bar. Its colour and its word change at 80 % and at 100 %. */
export function AllowanceBar({ label, used, included }: { label: string; used: number; included: number }) {
  const share = included === 0 ? (used > 0 ? 1 : 0) : used / included;
  const state = share >= 1 ? 'exhausted' : share >= 0.8 ? 'nearly used' : undefined;
  const fill = share >= 1 ? 'fill-danger' : share >= 0.8 ? 'fill-warning' : 'fill-accent';
  const tone = share >= 1 ? 'text-danger' : 'text-warning';
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">{label}</span>
        <span>
          <span className="amount">{formatNumber(used)}</span>
          <span className="text-quiet">
            {' '}
            of <span className="amount">{formatNumber(included)}</span>
          </span>
          {state && <span className={`ml-2 ${tone}`}>{state}</span>}
        </span>
      </div>
      <svg
        viewBox="0 0 100 1"
        preserveAspectRatio="none"
        className="h-1.5 w-full overflow-hidden rounded-full"
        role="img"
        aria-label={`${label}: ${formatNumber(used)} of ${formatNumber(included)}`}
      >
        <rect width="100" height="1" className="fill-line" />
        <rect width={Math.min(1, share) * 100} height="1" className={fill} />
      </svg>
    </div>
  );
}
