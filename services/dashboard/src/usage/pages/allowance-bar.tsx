import type { ReactNode } from 'react';
import { formatNumber } from '../../app/components/number.tsx';

interface AllowanceBarProps {
  label: string;
  used: number;
  /** Undefined: not known, for example for an earlier period, whose plan may have been another one. */
  included: number | undefined;
  /** Units of requests in progress. They are taken from the allowance, and not used yet. */
  reserved?: number;
  note?: ReactNode;
}

/** Used units of an allowance as a bar. Its colour and its word change at 80 % and at 100 %. */
export function AllowanceBar({ label, used, included, reserved = 0, note }: AllowanceBarProps) {
  const share = shareOf(used, included);
  const state = share >= 1 ? 'Used up' : share >= 0.8 ? `${Math.floor(share * 100)} % used` : undefined;
  return (
    <div className="grid content-start gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">{label}</span>
        <span>
          <span className="amount">{formatNumber(used)}</span>
          {included !== undefined && (
            <span className="text-quiet">
              {' '}
              of <span className="amount">{formatNumber(included)}</span>
            </span>
          )}
        </span>
      </div>
      {included !== undefined && <Bar label={label} used={used} reserved={reserved} included={included} />}
      <p className="flex flex-wrap justify-between gap-x-3 text-sm text-quiet">
        <span>
          {state && <span className={share >= 1 ? 'text-danger' : 'text-warning'}>{state}</span>}
          {state && note && ' · '}
          {note}
        </span>
        {reserved > 0 && (
          <span title="Units of requests in progress. They are taken from the allowance, and not used yet.">
            <span className="amount">{formatNumber(reserved)}</span> reserved
          </span>
        )}
      </p>
    </div>
  );
}

function Bar({ label, used, included, reserved }: { label: string; used: number; included: number; reserved: number }) {
  const share = shareOf(used, included);
  const taken = shareOf(used + reserved, included);
  const fill = share >= 1 ? 'fill-danger' : share >= 0.8 ? 'fill-warning' : 'fill-accent';
  const numbers = `${formatNumber(used)} of ${formatNumber(included)}`;
  return (
    <svg
      viewBox="0 0 100 1"
      preserveAspectRatio="none"
      className="h-1.5 w-full overflow-hidden rounded-full"
      role="img"
      aria-label={`${label}: ${numbers}${reserved > 0 ? `, ${formatNumber(reserved)} reserved` : ''}`}
    >
      <rect width="100" height="1" className="fill-line" />
      <rect width={Math.min(1, taken) * 100} height="1" className="fill-control" />
      <rect width={Math.min(1, share) * 100} height="1" className={fill} />
    </svg>
  );
}

/** An allowance of zero is used up by the first unit. */
function shareOf(used: number, included: number | undefined): number {
  if (included === undefined) return 0;
  return included === 0 ? Math.min(1, used) : used / included;
}
