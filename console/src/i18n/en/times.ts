/** Contains the English texts for date and time fields. */
export const times = {
  inZone: 'In the time of %{zone}.',
  daysInZone: 'Whole days in the time of %{zone}.',
  // English uses the browser's own field for times; these are for a calendar that it does not know.
  such: 'Like %{example}. The arrow keys change it.',
  wrong: 'There is no such day. Type it like %{example}.',
} as const;
