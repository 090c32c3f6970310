/** Sets V8's flags for processes that live a few seconds: optimizing their code does not pay, nor does a young heap that grows. */
export const briefFlags = ['--no-opt', '--no-maglev', '--min-semi-space-size=6'];
