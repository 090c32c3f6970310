/** Writes the software bill of materials (CycloneDX) of this version into release/. */
import { execSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/**
 * From the lock file, so that it is the same on every platform. Development packages are in it and marked:
 * the console is bundled from some of them.
 */
export const writeSbom = () => {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const command = 'npm sbom --sbom-format=cyclonedx --sbom-type=application --package-lock-only';
  const sbom = JSON.parse(
    execSync(command, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
  );
  // npm names it after the folder of the checkout.
  sbom.metadata.component.name = name;
  const file = join('release', `${name}-${version}.cdx.json`);
  mkdirSync(join(root, 'release'), { recursive: true });
  writeFileSync(join(root, file), `${JSON.stringify(sbom, null, 2)}\n`);
  return file;
};

if (import.meta.main) console.log(`Wrote ${writeSbom()}.`);
