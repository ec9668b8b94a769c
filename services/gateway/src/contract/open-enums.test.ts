import { describe, expect, it } from 'vitest';
import { operations } from '../endpoints/endpoints.ts';
import { buildOpenapi } from './openapi.ts';
import { extensibleEnum } from './schemas.ts';

interface Node {
  [name: string]: unknown;
  $ref?: string;
  enum?: string[];
  [extensibleEnum]?: string[];
}

const document = buildOpenapi(operations) as Node;

/** The sets of values below a node of openapi.json, as `member: values`. `name` is the name of the nearest member. */
function setsIn(node: Node, of: 'enum' | typeof extensibleEnum, name = '', seen = new Set<string>()): string[] {
  if (node.$ref) {
    if (seen.has(node.$ref)) return [];
    seen.add(node.$ref);
    return setsIn(resolved(node), of, name, seen);
  }
  const own = node[of] ? [`${name}: ${node[of].join()}`] : [];
  const members = Object.entries(node).filter(([key]) => key !== 'example' && key !== 'examples');
  const inner = members.flatMap(([key, member]) => {
    if (typeof member !== 'object' || member === null) return [];
    if (key !== 'properties') return setsIn(member as Node, of, name, seen);
    return Object.entries(member).flatMap(([property, schema]) => setsIn(schema as Node, of, property, seen));
  });
  return [...own, ...inner];
}

const operationNodes = Object.values(document.paths as Record<string, Record<string, Node>>).flatMap(Object.values);
const requestsOf = (node: Node): Node => ({ parameters: node.parameters, body: node.requestBody ?? {} });
const distinct = (sets: readonly string[]) => [...new Set(sets)].toSorted();

describe('sets of values in openapi.json', () => {
  it('the bodies of responses have no closed set of values except those of match, kind and the health status', () => {
    const bodies = operationNodes.flatMap(({ responses }) =>
      Object.values(responses as Record<string, Node>).map((response) => ({ ...resolved(response), headers: {} })),
    );
    expect(distinct(bodies.flatMap((body) => setsIn(body, 'enum')))).toEqual([
      'kind: platform,app,service,theme',
      'match: matched,stale,no_match,error',
      'status: ok,degraded',
    ]);
  });

  it('the bodies of responses list the current values of the sets that may grow', () => {
    const sets = distinct(operationNodes.flatMap(({ responses }) => setsIn(responses as Node, extensibleEnum)));
    expect(sets).toContain('state: queued,running,succeeded,failed,canceled');
    for (const member of ['type', 'code', 'reason', 'unit', 'scopes', 'confidence', 'install_state']) {
      expect(sets.map((set) => set.split(':')[0])).toContain(member);
    }
  });

  it('requests have no open set of values', () => {
    expect(operationNodes.flatMap((node) => setsIn(requestsOf(node), extensibleEnum))).toEqual([]);
    expect(operationNodes.flatMap((node) => setsIn(requestsOf(node), 'enum'))).not.toEqual([]);
  });
});

/** The paths of the objects below a node of openapi.json that accept no further member. */
function strictIn(node: Node, path: string, seen = new Set<string>()): string[] {
  if (node.$ref) {
    if (seen.has(node.$ref)) return [];
    seen.add(node.$ref);
    return strictIn(resolved(node), node.$ref, seen);
  }
  const own = node.additionalProperties === false ? [path] : [];
  const members = Object.entries(node).filter(([key]) => key !== 'example' && key !== 'examples');
  const inner = members.flatMap(([key, member]) =>
    typeof member === 'object' && member !== null ? strictIn(member as Node, `${path}/${key}`, seen) : [],
  );
  return [...own, ...inner];
}

describe('objects in openapi.json', () => {
  it('no object in a response is strict, because later releases may add members', () => {
    const strict = operationNodes.flatMap((node) => strictIn(node.responses as Node, String(node.operationId)));
    expect(strict).toEqual([]);
  });

  it('the body of a request is strict, because an unknown member is an error of the caller', () => {
    const strict = operationNodes.flatMap((node) => strictIn(requestsOf(node), String(node.operationId)));
    expect(strict).toContain('#/components/schemas/WatchlistCreate');
  });
});

function resolved(node: Node): Node {
  if (!node.$ref) return node;
  const target = node.$ref.slice(2).split('/');
  return target.reduce((at, part) => at[part] as Node, document);
}
