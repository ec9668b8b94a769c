import type { Random } from '../random.ts';
import type { ClientOptions } from './clients.ts';
import type { Customer } from './customers.ts';
import { noUnits, type Operation, type OperationKind } from './history.ts';
import type { Call } from './send.ts';

/** An operation before it is sent. */
export interface Plan {
  operation: Omit<Operation, 'id' | 'attempts'>;
  call: Pick<Call, 'method' | 'path' | 'secret' | 'body'>;
  gateway: number;
  /** Sent twice at the same time. */
  twin: boolean;
  /** Sent again so long after its answer, as by a client that lost it. */
  repeatAfterMs: number | null;
  timeoutMs?: number;
}

/** Of a hundred operations. */
const shares: readonly (readonly [OperationKind, number])[] = [
  ['look-up', 34],
  ['enrich', 22],
  ['refresh', 8],
  ['account', 5],
  ['tight', 12],
  ['limited', 14],
  ['revoked', 5],
];
const twinShare = 0.15;
const repeatShare = 0.3;

export function planOf(options: ClientOptions, random: Random): Plan {
  const kind = chooseKind(random);
  const gateway = random.between(0, options.system.gateways.length - 1);
  const plan = (customer: Customer, call: Omit<Plan['call'], 'secret'>, mayBill = noUnits): Plan => {
    const key = random.pick(customer.keys);
    const isKeyed = call.method === 'POST';
    return {
      operation: {
        kind,
        workspaceId: customer.workspaceId,
        keyId: key.id,
        idempotencyKey: isKeyed ? `faults-${random.between(0, 2 ** 31)}-${random.between(0, 2 ** 31)}` : null,
        mayBill,
      },
      call: { ...call, secret: key.secret },
      gateway,
      twin: isKeyed && random.chance(twinShare),
      repeatAfterMs: isKeyed && random.chance(repeatShare) ? random.between(100, 6_000) : null,
    };
  };
  const { customers } = options;
  const account = { method: 'GET', path: '/v1/account' } as const;
  const lookUp = () => ({ method: 'GET', path: `/v1/stores/${random.pick(options.known)}` }) as const;
  switch (kind) {
    case 'look-up':
      return plan(customers.main, lookUp(), { lookupCached: 1, lookupLive: 0 });
    case 'tight':
      return plan(customers.tight, lookUp(), { lookupCached: 1, lookupLive: 0 });
    case 'enrich':
      return plan(customers.main, enrich(pickSome(random, options.known, 6), false));
    case 'refresh':
      return plan(customers.main, enrich(pickSome(random, options.scannable, 3), true));
    case 'revoked':
      return plan(customers.revoked, account);
    case 'limited':
      return plan(customers.limited, account);
    default:
      return plan(customers.main, account);
  }
}

const enrich = (domains: string[], refresh: boolean) =>
  ({ method: 'POST', path: '/v1/stores/enrich', body: { domains, refresh } }) as const;

function pickSome(random: Random, from: readonly string[], most: number): string[] {
  return Array.from({ length: random.between(1, most) }, () => random.pick(from));
}

function chooseKind(random: Random): OperationKind {
  let rest = random.between(1, 100);
  for (const [kind, share] of shares) {
    rest -= share;
    if (rest <= 0) return kind;
  }
  return 'account';
}
