/** Names what a row of a report stands for, and where it leads. */
import type { Answer } from '../api/client.ts';
import { useProductName } from '../catalogue/names.ts';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useOperatorName } from '../operators/names.ts';
import { fromField } from '../zoned.ts';
import type { Dimension } from './view.ts';

export type SalesRow = Answer<'getSales'>['rows'][number];

/** Which thing a row is about; rows of one report differ in it. */
export const keyOf = ({ day, client, product, operator, supplier }: SalesRow): string =>
  [day, client?.id, product?.id, operator?.id, supplier?.id].join(' ');

const linkOf = (row: SalesRow, by: Dimension): string | undefined => {
  const { client, product, operator, supplier, day } = row;
  switch (by) {
    case 'client':
      return client === null ? undefined : `/clients/${client.id}`;
    case 'product':
      // There is no page of a product that was removed.
      return product === null || product.name === null
        ? undefined
        : `/catalogue/products/${product.id}`;
    case 'operator':
      return operator === null || operator.names === null ? undefined : `/operators/${operator.id}`;
    case 'supplier':
      return supplier === null || supplier.names === null ? undefined : `/operators/${supplier.id}`;
    case 'day':
      return day === null ? undefined : `/sales?from=${day}&to=${day}&by=operator`;
  }
};

export const useRowNames = () => {
  const say = useText();
  const { time, digits, zone } = useFormat();
  const productName = useProductName();
  const operatorName = useOperatorName();
  const nameOf = (row: SalesRow, by: Dimension): string => {
    const { client, product, operator, supplier, day } = row;
    switch (by) {
      case 'client':
        return client === null ? '' : client.name || client.id;
      case 'product': {
        if (product === null) return '';
        const { id } = product;
        const name = productName(product);
        // Operators sell products of the same name.
        return name === null
          ? say('sales.removed', { id })
          : say('purchases.productOf', { name, id });
      }
      case 'operator': {
        if (operator === null) return '';
        const { id, names } = operator;
        return names === null
          ? say('sales.unknownOperator', { id: digits(id) })
          : operatorName({ names });
      }
      case 'supplier': {
        if (supplier === null) return '';
        const { id, names } = supplier;
        if (id === 0) return say('sales.noSupplier');
        return names === null
          ? say('sales.unknownSupplier', { id: digits(id) })
          : operatorName({ names });
      }
      case 'day':
        return day === null ? '' : time(fromField(day, zone), 'date');
    }
  };
  return { nameOf, linkOf };
};
