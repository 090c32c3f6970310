/** Tests the command line's help, and exit status 2 for wrong usage. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { done, temporaryFolders, twoAtATime } from '../support/command.ts';
import { plainly } from '../support/environment.ts';
import { type Finished, simgate, simgateProcess } from '../support/process.ts';

const folder = temporaryFolders();

const operandsOf = {
  serve: [],
  'client create': [],
  'client list': [],
  'client deposit': ['ID', 'AMOUNT'],
  'client correct': ['ID', 'AMOUNT'],
  'client set-credit': ['ID', 'AMOUNT'],
  'client suspend': ['ID'],
  'client resume': ['ID'],
  'client rules': ['ID'],
  'token create': ['CLIENT_ID'],
  'token list': [],
  'token revoke': ['TOKEN_ID'],
  'catalogue import': ['FILE'],
  'catalogue remove': ['ID...'],
  'catalogue export': ['FILE'],
  'purchase list': [],
  'purchase show': ['ID'],
  'purchase resolve': ['ID'],
  'purchase unmatched': [],
  'sales report': [],
  'admin create': ['NAME'],
  'admin list': [],
  'admin disable': ['NAME'],
  'admin password': ['NAME'],
  'secrets new-key': [],
  'secrets reseal': [],
  verify: [],
  backup: ['FILE'],
  'restore status': [],
  'restore accept': [],
  restore: ['FILE'],
  config: [],
  migrate: [],
} as const;

const commands = Object.entries(operandsOf);

describe('Help', twoAtATime, () => {
  const untouched = folder();

  it('lists every command if none is named', async () => {
    const [bare, asked] = await Promise.all([done(untouched), done(untouched, '--help')]);
    assert.equal(bare, asked);
    for (const [name] of commands) assert.match(asked, new RegExp(`^  ${name}  +[A-Z].*\\.$`, 'm'));
  });

  for (const [name, operands] of commands) {
    it(`shows how "${name}" is used, and does nothing`, async () => {
      const out = await done(untouched, ...name.split(' '), '--help');
      assert.ok(out.startsWith(`Usage: simgate ${[name, ...operands].join(' ')} `), out);
      assert.match(out, /^ {2}--json +Print the result as JSON\.$/m);
      assert.deepEqual(readdirSync(untouched), []);
    });
  }
});

describe('A command that is used wrongly', twoAtATime, () => {
  const untouched = folder();

  const cases: readonly (readonly [about: string, args: readonly string[], says: RegExp])[] = [
    ['no such command', ['sell'], /^There is no command "sell"\./],
    ['no such command of a group', ['client', 'sell'], /^There is no command "client sell"\./],
    ['half a command', ['token'], /^There is no command "token"\./],
    [
      'an option that it does not have',
      ['client', 'list', '--all'],
      /^There is no option --all\.\n/,
    ],
    [
      'a mistyped option',
      ['client', 'create', '--nmae', 'x'],
      /^There is no option --nmae\. The nearest is --name\.\n/,
    ],
    ['a mistyped command', ['serv'], /^There is no command "serv"\. The nearest is "serve"\.\n/],
    [
      'a mistyped command of a group',
      ['client', 'lits', '--json'],
      /^There is no command "client lits"\. The nearest is "client list"\.\n/,
    ],
    ['a missing option', ['client', 'create', '--json'], /^Missing: --name NAME\./],
    ['an option without its value', ['client', 'create', '--name'], /--name/],
    ['a word too many', ['verify', 'everything'], /^Unexpected arguments: everything\./],
    ['an amount of nothing', ['client', 'deposit', 'x', '0'], /^AMOUNT must be .* not "0"\./],
    [
      'a correction without a reason',
      ['client', 'correct', 'x', '-5'],
      /^Missing: --reason TEXT\./,
    ],
    ['less than nothing', ['client', 'deposit', 'x', '-5'], /^AMOUNT must be .* not "-5"\./],
    ['half a unit', ['client', 'deposit', 'x', '1.5'], /^AMOUNT must be .* not "1\.5"\./],
    ['an unknown scope', ['token', 'create', 'x', '--scope', 'all'], /^--scope must be .* "all"\./],
    ['a time past', ['token', 'create', 'x', '--expires', '2020-01-31'], /^--expires must be/],
    ['a file of another kind', ['catalogue', 'export', 'list.xml'], /^FILE must end in .json/],
    ...commands
      .filter(([, operands]) => operands.length > 0)
      .map(
        ([name, operands]) =>
          [
            `"${name}" without ${operands.join(' ')}`,
            name.split(' '),
            new RegExp(`^Missing: ${operands.join(' ')}\\.`),
          ] as const,
      ),
  ];

  const assertWrongUse = ({ status, out, err }: Finished, says: RegExp): void => {
    assert.deepEqual({ status, out }, { status: 2, out: '' });
    assert.match(err, says);
    assert.match(err, /\n\n.*Usage: simgate /s);
    assert.deepEqual(readdirSync(untouched), []);
  };

  for (const [about, args, says] of cases) {
    it(`ends with 2 and its help on the error output: ${about}`, async () => {
      assertWrongUse(await simgate(untouched, args), says);
    });
  }

  it('ends the same way as a user’s process', async () => {
    for (const [, args, says] of cases.slice(0, 2)) {
      assertWrongUse(await simgateProcess(untouched, args, plainly), says);
    }
  });
});
