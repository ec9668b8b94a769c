import type { Operation } from '../../contract/operation.ts';

/** Finds the operation of a method and path. Segments are compared as sent; a fixed one goes before a placeholder. */
export interface Found {
  operation: Operation;
  /** Still percent-encoded. */
  params: Record<string, string>;
}

export interface OperationIndex {
  /** HEAD finds the operation of GET. */
  find(method: string, path: string): Found | undefined;
  /** The methods that a path has, HEAD beside GET; none when there is no such path. */
  methodsOf(path: string): string[];
}

interface Node {
  fixed: Map<string, Node>;
  placeholder: { name: string; node: Node } | undefined;
  byMethod: Map<string, Operation>;
}

const emptyNode = (): Node => ({ fixed: new Map(), placeholder: undefined, byMethod: new Map() });

export function indexOperations(operations: readonly Operation[]): OperationIndex {
  const root = emptyNode();
  for (const operation of operations) insert(root, operation);

  const walk = (node: Node, segments: string[], at: number, method: string): Found | undefined => {
    if (at === segments.length) {
      const operation = node.byMethod.get(method);
      return operation && { operation, params: {} };
    }
    const segment = segments[at] as string;
    const fixed = node.fixed.get(segment);
    const found = fixed && walk(fixed, segments, at + 1, method);
    if (found || !node.placeholder || segment === '') return found;
    const deeper = walk(node.placeholder.node, segments, at + 1, method);
    if (deeper) deeper.params[node.placeholder.name] = segment;
    return deeper;
  };

  const find = (method: string, path: string) => walk(root, path.split('/'), 1, method === 'HEAD' ? 'GET' : method);
  const methods = [...new Set(operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
  return { find, methodsOf: (path) => methods.filter((method) => find(method, path)) };
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
