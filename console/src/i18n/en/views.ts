/** Contains the English texts for the saved views of lists. */
export const views = {
  label: 'Views',
  all: 'All',
  save: 'Save view',
  saveText: 'Keeps these filters and columns under a name, in this browser and for you alone.',
  saveChanges: 'Save the changed filters',
  saveAs: 'Save as a new view',
  name: 'Name of the view',
  rename: 'Rename view',
  remove: 'Delete view',
  removeText: 'Deletes the view “%{name}”. What it shows stays as it is.',
  options: 'Options of the view',
  edited: '%{name} · edited',
  full: 'There are 30 views. Delete one before you save another.',
} as const;
