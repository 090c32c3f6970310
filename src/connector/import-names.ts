/** Resolves `simgate/connector` and `simgate/connector-suite` to this program's own modules, wherever the importing file lies. */
import { registerHooks } from 'node:module';
import { extname } from 'node:path';

/** A checkout runs its sources, the package its compiled files. */
const extension = extname(import.meta.filename);

const modules: ReadonlyMap<string, string> = new Map([
  ['simgate/connector', new URL(`./index${extension}`, import.meta.url).href],
  ['simgate/connector-suite', new URL(`./suite/index${extension}`, import.meta.url).href],
]);

/** Marks an import that is resolved as if another file had it; what follows is that file and the name. */
const mark = 'simgate-import-from:';

let isRegistered = false;

/**
 * A connector may live outside every folder in which the program is installed, and must not bring a second
 * copy of it: a hook of this process resolves the modules.
 */
export const resolveImportNames = (): void => {
  if (isRegistered) return;
  isRegistered = true;
  registerHooks({
    resolve: (name, context, next) => {
      if (name.startsWith(mark)) {
        const [parentURL = '', wanted = ''] = name.slice(mark.length).split(' ');
        return next(wanted, { ...context, parentURL });
      }
      const url = modules.get(name);
      return url === undefined ? next(name, context) : { url, shortCircuit: true };
    },
  });
};

/** Imports a package as the file at `parentUrl` would. */
export const importFrom = (name: string, parentUrl: string): Promise<unknown> => {
  const marked = `${mark}${parentUrl} ${name}`;
  return import(marked);
};
