import { Element, type ParentNode, Text } from 'domhandler';
import { withSingleSpaces } from '../page/single-spaces.ts';

/**
 * Bounded walks through parts of a page. All parts share one budget of nodes. Nested or very wide parts therefore cannot make the walks
 * quadratic. The walks end early when the budget is spent.
 */
export interface VisitBudget {
  left: number;
}

const maxChildren = 500;

/** Pushes at most {@link maxChildren} children. The first child is on top. */
export function pushChildren<Entry>(
  stack: Entry[],
  { children }: ParentNode,
  entryOf: (child: Element | Text) => Entry,
): void {
  for (let i = Math.min(children.length, maxChildren) - 1; i >= 0; i--) {
    const child = children[i];
    if (child instanceof Element || child instanceof Text) stack.push(entryOf(child));
  }
}

/** Yields `part` and the elements below it in document order, at most `max`. */
export function* elementsIn(part: Element, budget: VisitBudget, max: number): Generator<Element> {
  const stack: (Element | Text)[] = [part];
  for (let visited = 0; stack.length > 0 && visited < max && budget.left > 0; visited++) {
    budget.left--;
    const node = stack.pop();
    if (!(node instanceof Element)) continue;
    yield node;
    pushChildren(stack, node, (child) => child);
  }
}

const unseen = new Set(['script', 'style', 'noscript', 'template']);

/** Returns the text of `part` in one line, with at most `maxChars`. */
export function textIn(part: Element, budget: VisitBudget, maxChars = 300): string {
  let text = '';
  const stack: (Element | Text)[] = [part];
  while (stack.length > 0 && text.length < maxChars && budget.left > 0) {
    budget.left--;
    const node = stack.pop();
    if (node instanceof Text) text += node.data.slice(0, maxChars - text.length);
    else if (node && !unseen.has(node.name)) {
      text += ' ';
      pushChildren(stack, node, (child) => child);
    }
  }
  return withSingleSpaces(text);
}
