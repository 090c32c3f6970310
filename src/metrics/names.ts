/** Names operators in the labels of metrics. */
export type Named = { readonly id: number; readonly name: string };

export type NameOf = (operatorId: number | null) => string;

/** `laterName` names suppliers that were created since the start. */
export const namesOf = (
  operators: readonly Named[],
  laterName: (operatorId: number) => string | undefined = () => undefined,
): NameOf => {
  const names = new Map(operators.map(({ id, name }) => [id, name]));
  return (operatorId) => names.get(operatorId ?? 0) ?? laterName(operatorId ?? 0) ?? 'none';
};
