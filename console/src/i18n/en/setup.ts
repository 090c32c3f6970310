/** Contains the English texts for the checklist of a new gateway. */
export const setup = {
  title: 'Get started',
  progress: '%{done} of %{all} done',
  dismiss: 'Hide this list',
  done: 'Done',
  password: 'Set your password',
  secondFactor: 'Turn on two-factor authentication',
  operator: 'Connect an operator',
  catalogue: 'Import a catalogue',
  client: 'Create a client',
  sale: 'Make the first sale',
} as const;
