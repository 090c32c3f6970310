// Builds the console at install, so that a start serves it. An install does not fail for it.
try {
  const { buildConsole } = await import('../console/build.js');
  await buildConsole();
} catch (error) {
  const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
  console.error(
    `The console was not built: ${why}\n` +
      'Everything else works. To have it, run "npm ci" with its development packages, then "npm run build:console".',
  );
}
