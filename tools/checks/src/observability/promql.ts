/**
 * Evaluates the part of PromQL that alerts on gauges use, at one instant: selectors, `max by` and `min by`, `/`, comparisons with a number,
 * and `and`. Throws for everything else, so no test passes on an expression that was not understood.
 */
export interface Sample {
  labels: Readonly<Record<string, string>>;
  value: number;
}

export type Series = Readonly<Record<string, readonly Sample[]>>;

const tokenPattern = /\s*("[^"]*"|\d+(?:\.\d+)?|[a-zA-Z_]\w*|==|>=|<=|!=|[(){},=/<>])/y;

export function evaluate(expression: string, series: Series): Sample[] {
  const tokens = tokensOf(expression);
  let at = 0;
  const peek = () => tokens[at];
  const take = (expected?: string) => {
    const token = tokens[at++];
    if (token === undefined || (expected !== undefined && token !== expected)) {
      throw new Error(`expected ${expected ?? 'more'}, not ${token ?? 'the end'}`);
    }
    return token;
  };
  const accepts = (token: string) => peek() === token && take() === token;
  const inBrackets = <T>(inner: () => T): T => {
    take('(');
    const found = inner();
    take(')');
    return found;
  };
  const names = (): string[] => {
    const found = [take()];
    while (accepts(',')) found.push(take());
    return found;
  };

  const primary = (): Sample[] => {
    if (peek() === '(') return inBrackets(both);
    const name = take();
    if (name === 'max' || name === 'min') {
      take('by');
      const labels = inBrackets(names);
      return aggregate(inBrackets(both), labels, Math[name]);
    }
    if (!/^[a-z_]+$/.test(name)) throw new Error(`${name} is not supported`);
    const matchers: [string, string][] = [];
    if (accepts('{')) {
      while (!accepts('}')) {
        const label = take();
        take('=');
        matchers.push([label, take().slice(1, -1)]);
        accepts(',');
      }
    }
    return (series[name] ?? []).filter(({ labels }) => matchers.every(([label, value]) => labels[label] === value));
  };
  const quotient = (): Sample[] => {
    let left = primary();
    while (accepts('/')) {
      const right = primary();
      left = left.flatMap(({ labels, value }) => {
        const divisor = right.find((each) => keyOf(each.labels) === keyOf(labels));
        return divisor ? [{ labels, value: value / divisor.value }] : [];
      });
    }
    return left;
  };
  const comparison = (): Sample[] => {
    const left = quotient();
    const compare = comparisons[peek() ?? ''];
    if (!compare) return left;
    take();
    const bound = Number(take());
    if (Number.isNaN(bound)) throw new Error('only numbers can be compared with');
    return left.filter(({ value }) => compare(value, bound));
  };
  const both = (): Sample[] => {
    let left = comparison();
    while (accepts('and')) {
      const right = new Set(comparison().map(({ labels }) => keyOf(labels)));
      left = left.filter(({ labels }) => right.has(keyOf(labels)));
    }
    return left;
  };

  const result = both();
  if (at < tokens.length) throw new Error(`${tokens[at]} is not supported`);
  return result;
}

const comparisons: Record<string, (value: number, bound: number) => boolean> = {
  '>': (value, bound) => value > bound,
  '<': (value, bound) => value < bound,
  '==': (value, bound) => value === bound,
};

function tokensOf(expression: string): string[] {
  const tokens: string[] = [];
  tokenPattern.lastIndex = 0;
  const text = expression.trim();
  while (tokenPattern.lastIndex < text.length) {
    const start = tokenPattern.lastIndex;
    const [, token] = tokenPattern.exec(text) ?? [];
    if (token === undefined) throw new Error(`not understood: ${text.slice(start)}`);
    tokens.push(token);
  }
  return tokens;
}

const keyOf = (labels: Sample['labels']) => JSON.stringify(Object.entries(labels).sort());

function aggregate(samples: readonly Sample[], names: readonly string[], choose: (a: number, b: number) => number) {
  const groups = new Map<string, Sample>();
  for (const { labels, value } of samples) {
    const kept = Object.fromEntries(names.flatMap((name) => (labels[name] ? [[name, labels[name]]] : [])));
    const key = keyOf(kept);
    groups.set(key, { labels: kept, value: choose(groups.get(key)?.value ?? value, value) });
  }
  return [...groups.values()];
}
