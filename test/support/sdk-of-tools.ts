/** Sends imports of OpenTelemetry's SDK to the package in tools/, and prints each. Loaded first, by `--import`. */
import { registerHooks } from 'node:module';

const tools = new URL('../../tools/package.json', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, nextResolve) => {
    if (!specifier.startsWith('@opentelemetry/sdk-node')) return nextResolve(specifier, context);
    process.stderr.write(`loads ${specifier}\n`);
    return nextResolve(specifier, { ...context, parentURL: tools });
  },
});
