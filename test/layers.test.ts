/** Tests that the folders of src depend on each other in one direction, and that each tool stays in its place. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** A folder, or a file beside them, imports only from those left of it, and from itself. */
const layers = [
  ['lib'],
  ['config'],
  ['db'],
  ['settings'],
  ['tracing'],
  ['metrics'],
  ['ledger'],
  ['clients'],
  ['webhooks'],
  ['connector'],
  ['operators'],
  ['catalogue'],
  ['routing'],
  ['pricing'],
  ['offers'],
  ['purchases'],
  ['invoices'],
  ['admin'],
  ['http'],
  ['gateway'],
  ['main.ts'],
  ['workers'],
  ['cli'],
] as const;

/** The connector suites. Outsiders import them; in src only tests do. */
const connectorSuites = 'connector/suite/';

/** Helpers of all tests, as a file of src sees them. */
const testSupport = '../test/support/';

type Source = { readonly file: string; readonly text: string };
type Import = { readonly file: string; readonly target: string };

const isTest = (file: string): boolean =>
  file.endsWith('.test.ts') || file.startsWith(connectorSuites) || file.startsWith(testSupport);

/** Comments, text, templates and patterns, as far as they must be distinguished. */
const tokens =
  /(\/\*[^]*?\*\/|\/\/[^\n]*)|('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")|`(?:[^`\\]|\\[^])*`|(?<=[(,=:[!&|?{};\n]\s*|return\s)\/(?![/*])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g;

/** The code without comments, each quoted text replaced by its number, and those texts. */
const readCode = (text: string): { readonly code: string; readonly texts: readonly string[] } => {
  const texts: string[] = [];
  const code = text.replace(tokens, (token: string, comment?: string, quoted?: string) => {
    if (comment !== undefined) return ' ';
    // A template stays, because it may contain code.
    if (quoted === undefined) return token;
    return `'${texts.push(quoted.slice(1, -1)) - 1}'`;
  });
  return { code, texts };
};

/** Static, type-only, for side effects, re-exported, dynamic, in types, and of files that are only read. */
const importForms = [
  /\b(?:import|export)\b[^'`;=()]*?\bfrom\s*'(\d+)'/g,
  /\bimport\s*'(\d+)'/g,
  /\b(?:import|require(?:\s*\.\s*resolve)?)\s*\(\s*(?:'(\d+)'|`([^`]+)`)/g,
];

const importsOf = ({ file, text }: Source): Import[] => {
  const { code, texts } = readCode(text);
  return importForms.flatMap((form) =>
    [...code.matchAll(form)].map(([, index, template]) => ({
      file,
      target: template ?? texts[Number(index)] ?? '',
    })),
  );
};

/** The file in src of a relative import, or undefined for a package. */
const fileOf = ({ file, target }: Import): string | undefined =>
  target.startsWith('.') ? normalize(join(dirname(file), target)) : undefined;

const packageOf = ({ target }: Import): string | undefined => {
  if (target.startsWith('.') || target.startsWith('node:')) return undefined;
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
};

const layerOf = (file: string): number => {
  const [head = ''] = file.split('/');
  return layers.findIndex((names) => names.some((name) => name === head));
};

const breachOfOrder = (one: Import): string | undefined => {
  const target = fileOf(one);
  if (target === undefined) return undefined;
  const said = `${one.file} imports ${target}`;
  if (target.startsWith(testSupport) && one.file.endsWith('.test.ts')) return undefined;
  if (target.startsWith('..')) return `${said}, which is outside of src`;
  const [own, other] = [layerOf(one.file), layerOf(target)];
  if (own === -1) return `${one.file} is in no layer`;
  if (other === -1) return `${said}, which is in no layer`;
  if (isTest(target)) return isTest(one.file) ? undefined : `${said}, which is for tests`;
  return other > own ? `${said}, which lies to its right` : undefined;
};

type Place = (file: string) => boolean;
const named =
  (...patterns: readonly RegExp[]): Place =>
  (file) =>
    patterns.some((pattern) => pattern.test(file));

const isFastify = (name: string): boolean => name === 'fastify' || name.startsWith('@fastify/');

/** Where a package may be imported; unlisted ones may be imported everywhere. */
const packagePlaces: readonly { readonly of: (name: string) => boolean; readonly in: Place }[] = [
  {
    of: isFastify,
    in: named(
      /(^|\/)routes\.ts$/,
      /^clients\/auth\.ts$/,
      /^admin\//,
      /^http\//,
      /^gateway\/gateway\.ts$/,
    ),
  },
  {
    of: (name) => name === 'kysely',
    in: named(/(^|\/)store\.ts$/, /^db\//, /^gateway\/gateway\.ts$/),
  },
  {
    of: (name) => name === 'prom-client',
    in: named(/^metrics\//),
  },
  {
    of: (name) => name.startsWith('@opentelemetry/'),
    in: named(/^tracing\//),
  },
];

const breachOfPlace = (one: Import): string | undefined => {
  const name = packageOf(one);
  if (name === undefined || isTest(one.file)) return undefined;
  const wrong = packagePlaces.some((rule) => rule.of(name) && !rule.in(one.file));
  return wrong ? `${one.file} imports ${name}, which has no place there` : undefined;
};

/** The gateway uses only the type of Fastify: the application is built in http/. */
const breachOfTypeOnly = ({ file, text }: Source): string | undefined =>
  file === 'gateway/gateway.ts' &&
  /^import (?!type )[^;]*from '(?:fastify|@fastify\/[^']+)'/m.test(text)
    ? 'gateway/gateway.ts imports more of fastify than its types'
    : undefined;

/** Where a process watches for its own end, before anything else exists. */
const ownEnd = /^lib\/stop-signal\.ts$/;

/** What only some files may use: all others get it as an argument. */
const uses: readonly { readonly what: string; readonly form: RegExp; readonly in: Place }[] = [
  {
    what: 'process.env',
    form: /\bprocess\s*\.\s*env\b|\bimport\b[^;=]*\benv\b[^;=]*\bfrom\b|\bprocess\s*\[/,
    in: named(/^config\/config\.ts$/, ownEnd),
  },
  {
    what: 'the time of the machine',
    form: /\bDate\s*\.\s*now\b|\bnew\s+Date\s*(?:\(\s*\)|(?![\s(\w]))|(?<![\w.]|new\s)Date\s*\(|\bperformance\s*\.\s*now\b|\bprocess\s*\.\s*hrtime\b/,
    in: named(/^lib\/clock\.ts$/),
  },
  {
    what: 'timers of the machine',
    form: /\b(?:setTimeout|setInterval|setImmediate)\b|\bAbortSignal\s*\.\s*timeout\b/,
    in: named(/^lib\/clock\.ts$/, ownEnd),
  },
  {
    what: 'randomness of the machine',
    form: /\bMath\s*\.\s*random\b|\brandom(?:Bytes|FillSync|Fill|Int|UUID|UUIDv7)\b|\bgetRandomValues\b/,
    in: named(/^lib\/random\.ts$/),
  },
];

const breachesOfUse = ({ file, text }: Source): string[] => {
  if (isTest(file)) return [];
  const { code } = readCode(text);
  return uses
    .filter((rule) => rule.form.test(code) && !rule.in(file))
    .map((rule) => `${file} uses ${rule.what}`);
};

/** All columns of a table: a prepared statement that reads them fails once a migration adds one. */
const allColumns =
  /\.\s*(?:selectAll|returningAll)\b|\b(?:select|returning)\s+(?:distinct\s+)?(?:"?\w+"?\.)?\*/i;

const breachOfColumns = ({ file, text }: Source): string | undefined => {
  if (isTest(file)) return undefined;
  const { code, texts } = readCode(text);
  return [code, ...texts].some((part) => allColumns.test(part))
    ? `${file} reads all columns of a table instead of naming them`
    : undefined;
};

const breachOfOpening = ({ file, text }: Source): string | undefined =>
  /^\/\*\* (?!Owns\b)\S[^]*?\*\//.test(text)
    ? undefined
    : `${file} does not open with what it does`;

/** The imports of each file, and the first cycle found from any, types included. */
const circleIn = (imports: readonly Import[]): string | undefined => {
  const targets = new Map<string, string[]>();
  for (const one of imports) {
    const target = fileOf(one);
    if (target !== undefined) targets.set(one.file, [...(targets.get(one.file) ?? []), target]);
  }
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string | undefined => {
    const start = path.indexOf(file);
    if (start !== -1) return [...path.slice(start), file].join(' → ');
    if (done.has(file)) return undefined;
    for (const target of targets.get(file) ?? []) {
      const circle = visit(target, [...path, file]);
      if (circle !== undefined) return circle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of targets.keys()) {
    const circle = visit(file, []);
    if (circle !== undefined) return `files import each other: ${circle}`;
  }
  return undefined;
};

/** All violations, in words. */
const breachesIn = (sources: readonly Source[]): string[] => {
  const imports = sources.flatMap(importsOf);
  return [
    ...imports.flatMap((one) => [breachOfOrder(one), breachOfPlace(one)]),
    circleIn(imports),
    ...sources.flatMap((one) => [
      breachOfOpening(one),
      breachOfTypeOnly(one),
      breachOfColumns(one),
      ...breachesOfUse(one),
    ]),
  ].filter((breach) => breach !== undefined);
};

const sourcesIn = (folder: string): readonly Source[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));

const src = fileURLToPath(new URL('../src/', import.meta.url));
const sources = sourcesIn(src);

/** The examples, checked by the rules for connectors in src. */
const examples = sourcesIn(fileURLToPath(new URL('../examples/', import.meta.url))).map(
  ({ file, text }) => ({ file: `operators/${file}`, text }),
);

/**
 * What a connector outside of the repository could not import: files of other folders, names that are not
 * exported.
 */
const notForOutsiders = (one: Import): boolean => {
  const [own, target] = [dirname(one.file), fileOf(one)];
  if (target !== undefined) return !target.startsWith(`${own}/`);
  const names = ['simgate/connector', 'simgate/connector-suite'];
  return one.target.startsWith('simgate') && !names.includes(one.target);
};

describe('the sources', () => {
  test('break no rule', () => {
    assert.deepEqual(breachesIn(sources), []);
  });

  test('import only the types of node:http, which loads Node’s fetch', () => {
    const form = /^import (?!type )[^;]*from 'node:http'/m;
    assert.match(`import { type Server, STATUS_CODES } from 'node:http';`, form);
    const wrong = sources.filter(({ file, text }) => !isTest(file) && form.test(text));
    assert.deepEqual(
      wrong.map(({ file }) => file),
      [],
    );
  });

  test('were read: many files, many imports, and every layer that has a folder', () => {
    const imports = sources.flatMap(importsOf);
    assert.ok(sources.length >= 50, `${sources.length} files`);
    assert.ok(imports.length >= 250, `${imports.length} imports`);
    const existing = readdirSync(src, { withFileTypes: true }).map((entry) => entry.name);
    for (const name of existing) {
      assert.ok(layerOf(name) !== -1, `${name} is in no layer`);
      assert.ok(
        imports.some(({ file }) => file.split('/')[0] === name),
        `no import was seen in ${name}`,
      );
    }
  });

  test('import each package that the program depends on, and no other', () => {
    const manifest: unknown = JSON.parse(
      readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
    );
    const namesIn = (group: string): string[] => {
      const found: unknown =
        typeof manifest === 'object' && manifest !== null
          ? Reflect.get(manifest, group)
          : undefined;
      return Object.keys(typeof found === 'object' && found !== null ? found : {});
    };
    const imported = (tests: boolean): Set<string> =>
      new Set(
        sources
          .filter(({ file }) => isTest(file) === tests)
          .flatMap(importsOf)
          .flatMap((one) => packageOf(one) ?? []),
      );
    assert.deepEqual([...imported(false)].sort(), namesIn('dependencies').sort());
    const known = new Set([...namesIn('dependencies'), ...namesIn('devDependencies')]);
    for (const name of imported(true)) assert.ok(known.has(name), name);
    assert.ok(imported(true).has('fast-check'));
  });

  test('have every import with an existing file, and every import of Node with its prefix', () => {
    const files = new Set(sources.map(({ file }) => file));
    const known = sources.flatMap(importsOf);
    for (const one of known) {
      const target = fileOf(one);
      if (target === undefined) continue;
      const exists = files.has(target) || existsSync(join(src, target));
      assert.ok(exists, `${one.file} imports ${one.target}`);
    }
    // Every line that starts an import was parsed as one.
    for (const { file, text } of sources) {
      const lines = readCode(text).code.match(/^import\b/gm) ?? [];
      const seen = known.filter((one) => one.file === file).length;
      assert.ok(seen >= lines.length, file);
    }
  });
});

describe('the examples', () => {
  test('break no rule', () => {
    assert.ok(examples.length >= 5 && examples.flatMap(importsOf).length >= 15);
    assert.deepEqual(breachesIn(examples), []);
  });

  test('import nothing that an outsider could not', () => {
    const wrong = examples.flatMap(importsOf).filter(notForOutsiders);
    assert.deepEqual(wrong, []);
    const inside = { file: 'operators/soap-operator/x.ts', target: '../../src/connector/cause.ts' };
    assert.ok(notForOutsiders(inside));
  });
});

/** The violations of one made-up file that is otherwise valid. */
const said = (file: string, code: string): string[] =>
  breachesIn([{ file, text: `/** Shows an example. */\n${code}\n` }]);

describe('the rules', () => {
  for (const [form, code] of Object.entries({
    'a static import': `import { a } from '../offers/offers.ts';`,
    'an import over several lines': `import {\n  a,\n  type B,\n} from '../offers/offers.ts';`,
    'an import of types': `import type { A } from '../offers/offers.ts';`,
    'an import of everything': `import * as a from '../offers/offers.ts';`,
    'an import for its effects': `import '../offers/offers.ts';`,
    'a dynamic import': `const a = await import('../offers/offers.ts');`,
    'a dynamic import of a template': 'const a = await import(`../offers/offers.ts`);',
    'an import in a type': `type A = import("../offers/offers.ts").A;`,
    'a re-export': `export { a } from '../offers/offers.ts';`,
    'a re-export of everything': `export * from '../offers/offers.ts';`,
    'a re-export of types': `export type { A } from '../offers/offers.ts';`,
    'an import after a pattern with a quote': `const p = /['"]/;\nimport { a } from '../offers/offers.ts';`,
    'an import after a comment with a quote': `// don't\nimport { a } from '../offers/offers.ts';`,
    'a required file': `const a = require('../offers/offers.ts');`,
    'a resolved file': `const a = require.resolve('../offers/offers.ts');`,
  })) {
    test(`find ${form} from a folder to the right`, () => {
      assert.deepEqual(said('catalogue/x.ts', code), [
        'catalogue/x.ts imports offers/offers.ts, which lies to its right',
      ]);
      assert.deepEqual(said('http/x.ts', code), [], 'and allow it from one to the left');
    });
  }

  test('ignore imports in a comment or a text', () => {
    assert.deepEqual(said('lib/x.ts', `// import { a } from '../cli/a.ts';`), []);
    assert.deepEqual(said('lib/x.ts', `/* import { a } from '../cli/a.ts'; */`), []);
    assert.deepEqual(said('lib/x.ts', `const a = "import '../cli/a.ts'";`), []);
    assert.deepEqual(said('lib/x.ts', `const a = ['the import', '../cli/a.ts'];`), []);
  });

  test('compare each layer with every one to its right', () => {
    const names = layers.flat();
    const inside = (name: string): string => (name.endsWith('.ts') ? name : `${name}/x.ts`);
    const rankOf = (name: string): number => layerOf(inside(name));
    let refused = 0;
    for (const from of names) {
      for (const to of names) {
        if (to === from) continue;
        const up = from.endsWith('.ts') ? './' : '../';
        const found = said(inside(from), `import '${up}${inside(to)}';`);
        const wrong = rankOf(to) > rankOf(from);
        assert.equal(found.length, wrong ? 1 : 0, `${from} to ${to}: ${found.join()}`);
        if (wrong) refused += 1;
      }
    }
    assert.equal(refused, 253);
  });

  test('apply to test files too, which may import the connector suites from anywhere', () => {
    const late = `import '../offers/offers.ts';`;
    assert.equal(said('catalogue/x.test.ts', late).length, 1);
    assert.deepEqual(said('ledger/x.test.ts', `import '../connector/suite/suite.ts';`), []);
    assert.deepEqual(said('operators/x.ts', `import '../connector/suite/suite.ts';`), [
      'operators/x.ts imports connector/suite/suite.ts, which is for tests',
    ]);
    assert.deepEqual(said('lib/x.ts', `import './y.test.ts';`), [
      'lib/x.ts imports lib/y.test.ts, which is for tests',
    ]);
  });

  test('let only tests import the support of tests, and nothing else of test/', () => {
    const support = `import '../../test/support/manual-clock.ts';`;
    assert.deepEqual(said('lib/x.test.ts', support), []);
    for (const file of ['lib/x.ts', 'cli/x.ts', 'connector/suite/x.ts']) {
      assert.match(
        said(
          file,
          support.replace('../../', file.startsWith('connector') ? '../../../' : '../../'),
        ).join(),
        /outside of src/,
      );
    }
    assert.match(said('lib/x.test.ts', `import '../../test/run.ts';`).join(), /outside of src/);
  });

  test('find files that import each other, in any form and any number', () => {
    const open = '/** Shows an example. */\n';
    const circle = [
      { file: 'lib/a.ts', text: `${open}import type { B } from './b.ts';\n` },
      { file: 'lib/b.ts', text: `${open}export { c } from './c.ts';\n` },
      { file: 'lib/c.ts', text: `${open}const a = await import('./a.ts');\n` },
    ];
    assert.deepEqual(breachesIn(circle), [
      'files import each other: lib/a.ts → lib/b.ts → lib/c.ts → lib/a.ts',
    ]);
    assert.deepEqual(breachesIn(circle.slice(0, 2)), []);
    assert.deepEqual(breachesIn([{ file: 'lib/a.ts', text: `${open}import './a.ts';\n` }]), [
      'files import each other: lib/a.ts → lib/a.ts',
    ]);
  });

  test('find a folder that is missing in the list', () => {
    assert.deepEqual(said('helpers/x.ts', `import '../lib/a.ts';`), [
      'helpers/x.ts is in no layer',
    ]);
    assert.match(said('cli/x.ts', `import '../helpers/a.ts';`).join(), /which is in no layer/);
  });

  test('keep fastify where HTTP is', () => {
    const imports = [
      `import Fastify from 'fastify';`,
      `import type { A } from '@fastify/type-provider-typebox';`,
    ];
    for (const code of imports) {
      for (const file of [
        'lib/x.ts',
        'offers/offers.ts',
        'clients/client.ts',
        'main.ts',
        'cli/x.ts',
      ]) {
        assert.equal(said(file, code).length, 1, `${file}: ${code}`);
      }
      for (const file of ['offers/routes.ts', 'clients/auth.ts', 'admin/x.ts', 'http/x.ts']) {
        assert.deepEqual(said(file, code), []);
      }
    }
  });

  test('let the gateway have the types of fastify, and no more of it', () => {
    assert.deepEqual(said('gateway/gateway.ts', `import type { A } from 'fastify';`), []);
    assert.equal(said('gateway/gateway.ts', `import { a } from 'fastify';`).length, 1);
  });

  test('keep kysely where SQL is', () => {
    const code = `import { sql } from 'kysely';`;
    for (const file of [
      'lib/x.ts',
      'offers/routes.ts',
      'main.ts',
      'cli/x.ts',
      'ledger/verify.ts',
    ]) {
      assert.equal(said(file, code).length, 1, file);
    }
    for (const file of [
      'ledger/store.ts',
      'db/x.ts',
      'db/postgres/x.ts',
      'gateway/gateway.ts',
      'cli/x.test.ts',
    ]) {
      assert.deepEqual(said(file, code), []);
    }
  });

  for (const [place, codes] of Object.entries({
    'config/config.ts': [
      `const a = process.env['A'];`,
      `const { A } = process . env;`,
      `const a = process['env'];`,
      `import { env } from 'node:process';`,
    ],
    'lib/clock.ts': [
      `const a = Date.now();`,
      `const a = new Date();`,
      `const a = new Date( );`,
      `const a = new Date;`,
      `const a = Date();`,
      `const a = performance.now();`,
      'const a = `at ${Date.now()}`;',
      `setTimeout(run, 1);`,
      `setInterval(run, 1);`,
      `import { setTimeout } from 'node:timers/promises';`,
      `const a = AbortSignal.timeout(5);`,
    ],
    'lib/random.ts': [
      `const a = Math.random();`,
      `import { randomBytes } from 'node:crypto';`,
      `import { randomUUID } from 'node:crypto';`,
      `const a = crypto.getRandomValues(b);`,
      `const a = crypto.randomInt(5);`,
    ],
  })) {
    for (const code of codes) {
      test(`let only ${place} say: ${code}`, () => {
        assert.equal(said('offers/x.ts', code).length, 1);
        assert.deepEqual(said(place, code), []);
      });
    }
  }

  for (const code of [
    `const a = db.selectFrom('clients').selectAll().execute();`,
    `const a = db.selectFrom('clients')\n    .selectAll('clients').execute();`,
    `const a = db.deleteFrom('clients').returningAll().execute();`,
    `const a = 'select * from clients';`,
    'const a = `select ${b} from c union select distinct clients.* from clients`;',
    'const a = sql`delete from clients returning *`;',
  ]) {
    test(`find a statement that does not name its columns: ${code}`, () => {
      assert.deepEqual(said('clients/store.ts', code), [
        'clients/store.ts reads all columns of a table instead of naming them',
      ]);
    });
  }

  test('allow counted rows, and all columns in tests', () => {
    assert.deepEqual(said('clients/store.ts', `const a = 'select count(*) from clients';`), []);
    assert.deepEqual(said('clients/store.ts', '// A select * would not do.'), []);
    assert.deepEqual(said('clients/x.test.ts', `const a = 'select * from clients';`), []);
  });

  test('allow what only looks like the system’s time or randomness', () => {
    for (const code of [
      `const a = new Date(time).toISOString();`,
      `const a = Date.parse(text);`,
      `const a = 'Date.now()';`,
      `// Math.random() would not do.`,
      `const a = deps.random(10);`,
      `const a = clock.now();`,
      `const env = {};`,
    ]) {
      assert.deepEqual(said('offers/x.ts', code), [], code);
    }
  });

  test('find a file that does not open with a comment about what it does', () => {
    for (const text of [
      '',
      'const a = 1;',
      '// A note.\n',
      '/* A note. */\n',
      '\n/** Late. */\n',
      '/** Owns an example. */\n',
    ]) {
      const found = breachesIn([{ file: 'lib/x.ts', text }]);
      assert.deepEqual(found, ['lib/x.ts does not open with what it does']);
    }
  });
});
