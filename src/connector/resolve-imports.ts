/** Makes the names of connectors' imports known to a process that loads this first (`node --import`). */
import { resolveImportNames } from './import-names.ts';

resolveImportNames();
