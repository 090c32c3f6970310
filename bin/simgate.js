#!/usr/bin/env node
// The command. Plain JavaScript, so that an old Node can read it and say what is missing.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';

const oldestNode = 24;
const major = Number(process.versions.node.split('.')[0]);
if (major < oldestNode) {
  console.error(
    `simgate needs Node.js ${oldestNode} or newer, and this is ${process.version}.\n` +
      'In a checkout, "npm ci" brings the right one: run "npx simgate ..." or "npm start".',
  );
  process.exit(1);
}

// Loading is most of a start, and half of it is compiling what was compiled before. The cache lies in
// the package's own folder, where nobody else can write; where we cannot either, there is none.
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/', import.meta.url)));

// While a large catalogue is loaded, V8 would treble the room for young objects and keep it so: 50 MB
// for 5 to 20 % of throughput, as far as it was measured.
v8.setFlagsFromString('--semi-space-growth-factor=1');

// A checkout runs its TypeScript as it is; the published package carries the compiled form.
const source = new URL('../src/cli/command.ts', import.meta.url);
const compiled = new URL('../dist/cli/command.js', import.meta.url);
const { runCommand } = await import(existsSync(source) ? source.href : compiled.href);
process.exitCode = await runCommand(process.argv.slice(2));
