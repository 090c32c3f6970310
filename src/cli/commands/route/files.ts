/** Defines the commands that import routes from a CSV file, and export them. */
import { hash } from 'node:crypto';
import { countsOf, importRoutes } from '../../../admin/routing/actions.ts';
import { UsageError } from '../../../lib/errors.ts';
import { printRoutes, readRoutesFile } from '../../../routing/csv.ts';
import { listRoutes } from '../../../routing/store.ts';
import { routeTexts } from '../../../routing/texts.ts';
import { byOption } from '../../audited.ts';
import { type Command, operand, withDatabase } from '../../definition.ts';
import { notImported, readText, writeText } from '../../files.ts';
import { runOnRoutes } from './rows.ts';

export const routeImport: Command = {
  name: 'route import',
  summary: 'Create or change the routes in a CSV file: all of them, or none.',
  operands: ['FILE'],
  options: {
    'remove-missing': { about: 'Remove the routes that are not in the file.' },
    ...byOption,
  },
  run: async (args, streams) => {
    const file = operand(args, 0);
    const removeMissing = args.options.get('remove-missing') === true;
    const text = readText(file);
    const { rows, problems } = readRoutesFile(text);
    if (problems.length > 0) return notImported(args, streams, file, problems);
    if (removeMissing && rows.length === 0) throw new UsageError(routeTexts.noRoutes.en);
    const sha256 = hash('sha256', text);
    const done = await runOnRoutes(args, (acting) =>
      importRoutes(acting, rows, { removeMissing, sha256 }),
    );
    if (done.problems.length > 0) return notImported(args, streams, file, done.problems);
    const counts = countsOf(done);
    return {
      data: { ok: true, ...counts },
      text: `Routes: ${counts.added} added, ${counts.changed} changed, ${counts.removed} removed, ${counts.unchanged} unchanged.`,
    };
  },
};

export const routeExport: Command = {
  name: 'route export',
  summary: 'Write the routes in force to a CSV file that can be imported.',
  operands: ['FILE'],
  run: async (args) => {
    const file = operand(args, 0);
    const routes = await withDatabase(({ db }) => listRoutes(db));
    writeText(file, printRoutes(routes));
    return { data: { routes: routes.length, file }, text: `${routes.length} routes.` };
  },
};
