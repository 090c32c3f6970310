/** Collects the commands for price lists. */
import type { Command } from '../../definition.ts';
import { priceListExplain } from './explain.ts';
import { priceListExport, priceListImport } from './files.ts';
import {
  priceListAssign,
  priceListList,
  priceListRemove,
  priceListSet,
  priceListShow,
} from './price-list.ts';

export const priceListCommands: readonly Command[] = [
  priceListList,
  priceListShow,
  priceListSet,
  priceListRemove,
  priceListImport,
  priceListExport,
  priceListExplain,
  priceListAssign,
];
