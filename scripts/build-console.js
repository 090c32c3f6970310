// Builds the console at install. A failed build does not fail the install.
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
