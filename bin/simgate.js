#!/usr/bin/env node
// Starts the command line with the bundled Node.js. Plain JavaScript, because old Node.js versions must parse it.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { become, carriedNode } from './carried-node.js';
import { v8Flags } from './v8-flags.js';

const oldestNode = '24.7';
const [oldestMajor, oldestMinor] = oldestNode.split('.').map(Number);
const [major, minor] = process.versions.node.split('.').map(Number);
const isOld = major < oldestMajor || (major === oldestMajor && minor < oldestMinor);

const carried = carriedNode();
if (isOld && carried === undefined) {
  console.error(
    `simgate needs Node.js ${oldestNode} or newer, and this is ${process.version}.\n` +
      'In a checkout, "npm ci" brings the right one: run "npx simgate ..." or "npm start".',
  );
  process.exit(1);
}

// Only a process's start can set V8's memory flags: the process re-executes itself with them.
const serves = process.argv[2] === 'serve';
const lacksFlags = serves && !process.execArgv.includes(v8Flags[0]);
if (carried !== undefined || (lacksFlags && process.execve)) {
  const flags = lacksFlags ? v8Flags : [];
  await become(carried ?? process.execPath, [
    ...flags,
    ...process.execArgv,
    ...process.argv.slice(1),
  ]);
}

// Loading is most of a start, and half of it is compiling. The cache is in the package's own folder, which
// others cannot write to; if we cannot either, there is none. Threads find it by their environment.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('../node_modules/.cache/', import.meta.url),
);
module.enableCompileCache();

// A checkout runs its TypeScript directly; the published package contains compiled files.
const source = new URL('../src/cli/command.ts', import.meta.url);
const compiled = new URL('../dist/cli/command.js', import.meta.url);
const { runCommand } = await import(existsSync(source) ? source.href : compiled.href);
process.exitCode = await runCommand(process.argv.slice(2));
