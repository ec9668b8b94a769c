import { type ConstValueNode, type FieldNode, Kind, type ValueNode } from 'graphql';

/** Whether two fields have the same arguments, whatever their order. */
export function hasSameArguments(a: FieldNode, b: FieldNode): boolean {
  const ofA = a.arguments ?? [];
  const ofB = b.arguments ?? [];
  if (ofA.length !== ofB.length) return false;
  if (ofA.length === 0) return true;
  const values = new Map(ofB.map(({ name, value }) => [name.value, value]));
  return ofA.every(({ name, value }) => isSame(value, values.get(name.value)));
}

function isSame(a: ValueNode | ConstValueNode, b: ValueNode | ConstValueNode | undefined): boolean {
  if (a.kind !== b?.kind) return false;
  if (a.kind === Kind.NULL) return true;
  if (a.kind === Kind.VARIABLE && b.kind === Kind.VARIABLE) return a.name.value === b.name.value;
  if (a.kind === Kind.LIST && b.kind === Kind.LIST) {
    return a.values.length === b.values.length && a.values.every((value, index) => isSame(value, b.values[index]));
  }
  if (a.kind === Kind.OBJECT && b.kind === Kind.OBJECT) {
    const values = new Map(b.fields.map(({ name, value }) => [name.value, value]));
    return (
      a.fields.length === b.fields.length && a.fields.every(({ name, value }) => isSame(value, values.get(name.value)))
    );
  }
  return 'value' in a && 'value' in b && a.value === b.value;
}
