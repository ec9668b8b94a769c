import { CircleCheck, CircleHelp, CircleMinus, CircleX, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

const looks = {
  ok: { icon: CircleCheck, className: 'text-ok' },
  warning: { icon: TriangleAlert, className: 'text-warning' },
  danger: { icon: CircleX, className: 'text-danger' },
  neutral: { icon: CircleMinus, className: 'text-quiet' },
  unknown: { icon: CircleHelp, className: 'text-quiet' },
} as const;

export function Badge({ tone, children }: { tone: keyof typeof looks; children: ReactNode }) {
  const { icon: Icon, className } = looks[tone];
  return (
    <span className={`inline-flex items-baseline gap-1 whitespace-nowrap ${className}`}>
      <Icon aria-hidden className="size-3.5 self-center" />
      {children}
    </span>
  );
}
