/** Contains the English texts for suppliers that the console defines. */
export const suppliers = {
  create: 'New supplier',
  createText:
    'It is added at once, in all processes. Then choose its connector, enter its settings, and add a route: until then it gets no orders.',
  createSubmit: 'Create',
  name: 'Short name',
  nameHelp:
    'Latin letters, digits, - and _. It is in the address of callbacks and cannot be changed later.',
  notName: 'Use Latin letters, digits, - and _, and begin with a letter or a digit.',
  en: 'English name',
  enHelp: 'As the console shows it.',
  fa: 'Persian name',
  faHelp: 'As the console shows it in Persian.',
  group: 'Group',
  groupHelp: 'The same for suppliers that share an account. Otherwise leave it empty.',
  noGroup: 'none',
  definedIn: 'Defined in',
  edit: 'Edit',
  editTitle: 'Edit %{name}',
  saved: 'The supplier was saved.',
  remove: 'Remove',
  removeTitle: 'Remove %{name}',
  removeText:
    'Possible only if no route ever named it. Its settings are deleted, and no other supplier gets its number. If it had routes, suspend it instead.',
  removed: '%{name} was removed.',
} as const;
