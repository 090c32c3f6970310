/** Contains the English texts for date and time fields. */
export const times = {
  inZone: 'Time zone: %{zone}.',
  daysInZone: 'Whole days. Time zone: %{zone}.',
  // English uses the browser's own field for times; these are for a calendar that it does not know.
  such: 'Such as %{example}. Use the arrow keys to change it.',
  wrong: 'This date is not valid. Enter it like %{example}.',
  calendar: 'Calendar',
} as const;
