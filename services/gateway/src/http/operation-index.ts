import type { Operation } from '../contract/operation.ts';

/**
 * Finds the operation of a method and path. Segments are compared as sent. As in OpenAPI, a fixed path has precedence over
 * a path with placeholders, whatever its methods: GET /v1/stores/enrich is a wrong method, not the domain `enrich`.
 */
export interface OperationMatch {
  operation: Operation;
  /** The values are still percent-encoded. */
  params: Record<string, string>;
}

export type OperationIndex = ReturnType<typeof indexOperations>;

interface Node {
  fixed: Map<string, Node>;
  placeholder: { name: string; node: Node } | undefined;
  byMethod: Map<string, Operation>;
}

interface NodeMatch {
  node: Node;
  params: Record<string, string>;
}

const emptyNode = (): Node => ({ fixed: new Map(), placeholder: undefined, byMethod: new Map() });

export function indexOperations(operations: readonly Operation[]) {
  const root = emptyNode();
  for (const operation of operations) insert(root, operation);

  const nodeOf = (node: Node, segments: string[], at: number): NodeMatch | undefined => {
    if (at === segments.length) return node.byMethod.size > 0 ? { node, params: {} } : undefined;
    const segment = segments[at] as string;
    const fixed = node.fixed.get(segment);
    const found = fixed && nodeOf(fixed, segments, at + 1);
    if (found || !node.placeholder || segment === '') return found;
    const deeper = nodeOf(node.placeholder.node, segments, at + 1);
    if (deeper) deeper.params[node.placeholder.name] = segment;
    return deeper;
  };
  const placeOf = (path: string) => nodeOf(root, path.split('/'), 1);

  return {
    /** HEAD finds the operation of GET. */
    find(method: string, path: string): OperationMatch | undefined {
      const place = placeOf(path);
      const operation = place?.node.byMethod.get(method === 'HEAD' ? 'GET' : method);
      return place && operation && { operation, params: place.params };
    },
    /** Returns the methods of a path, with HEAD for GET. The list is empty if there is no such path. */
    methodsOf(path: string): string[] {
      const methods = [...(placeOf(path)?.node.byMethod.keys() ?? [])];
      return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).sort();
    },
  };
}

function insert(root: Node, operation: Operation): void {
  let node = root;
  for (const segment of operation.path.split('/').slice(1)) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name) {
      node.placeholder ??= { name, node: emptyNode() };
      if (node.placeholder.name !== name)
        throw new Error(`${operation.path}: ${name} is named ${node.placeholder.name} elsewhere`);
      node = node.placeholder.node;
    } else {
      const next = node.fixed.get(segment) ?? emptyNode();
      node.fixed.set(segment, next);
      node = next;
    }
  }
  node.byMethod.set(operation.method, operation);
}
