/** Renders the header of a column that sorts: a click turns the order around. */
import ButtonBase from '@mui/material/ButtonBase';
import { DownMark, UpMark } from '../icons.tsx';

export const SortButton = ({
  label,
  descending,
  atEnd = false,
  onSort,
}: {
  readonly label: string;
  /** Undefined if the rows are in another order. */
  readonly descending: boolean | undefined;
  /** The label ends where the numbers end: the arrow is before it. */
  readonly atEnd?: boolean;
  readonly onSort: (descending: boolean) => void;
}) => (
  <ButtonBase
    onClick={() => onSort(descending === undefined ? true : !descending)}
    sx={{
      font: 'inherit',
      gap: '4px',
      flexDirection: atEnd ? 'row-reverse' : 'row',
      marginInline: '-4px',
      paddingInline: '4px',
      minHeight: 24,
      borderRadius: '4px',
      '&:hover': { color: 'text.primary' },
      '& .MuiSvgIcon-root': { fontSize: 10, opacity: descending === undefined ? 0 : 1 },
      '&:hover .MuiSvgIcon-root, &:focus-visible .MuiSvgIcon-root': { opacity: 1 },
      ...(descending === undefined ? {} : { color: 'text.primary' }),
    }}
  >
    {label}
    {descending === false ? <UpMark /> : <DownMark />}
  </ButtonBase>
);
